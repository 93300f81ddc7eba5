"""15.5: two multiprocessors for one row, asked for and refused."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it compiles, and launches nothing"
# ///

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from ch15_softmax.softmax import softmax_kernel

NUMBERS = ("rows", "cols", "x_row", "out_row")
CONSTANTS = {"ROWS": 1, "BLOCK": 8192}

signature = {"x_ptr": "*bf16", "out_ptr": "*bf16"}
signature |= dict.fromkeys(NUMBERS, "i32")
signature |= dict.fromkeys(CONSTANTS, "constexpr")
for ctas in (1, 2):
    source = ASTSource(softmax_kernel, signature, CONSTANTS)
    try:
        triton.compile(
            source, target=GPUTarget("cuda", 90, 32),
            options={"num_warps": 16, "num_ctas": ctas},
        )  # fmt: skip
        print(f"num_ctas {ctas}: compiled")
    except RuntimeError as error:
        print(f"num_ctas {ctas}: RuntimeError: {error}")
