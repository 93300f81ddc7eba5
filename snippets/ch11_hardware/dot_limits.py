"""11.5: the smallest block that tl.dot takes, found by trying."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it reads what is compiled, and launches nothing"
# ///

import re

import triton.language as tl
from triton.compiler.errors import CompilationError

from ch11_hardware.matmul import matmul_kernel
from ch11_hardware.warps import compile_for_h200, matmul_constants

# --8<-- [start:demo]
SIZES = (1, 2, 4, 8, 16, 32)


def matrix_instructions(dtype, tile):
    """Those of the kernel, or None where the tile is refused."""
    acc = tl.int32 if dtype == "i8" else tl.float32
    constants = matmul_constants(tile) | {"ACC": acc}
    try:
        compiled = compile_for_h200(matmul_kernel, dtype, constants)
    except CompilationError as error:
        assert "Input shapes should have" in str(error)
        return None
    return re.findall(r"mma\S*\.(m\d+n\d+k\d+)", compiled.asm["ptx"])


for dtype in ("fp32", "fp16", "bf16", "fp8e4nv", "i8"):
    least = []
    for axis in range(3):
        for size in SIZES:
            tile = [32, 32, 32]
            tile[axis] = size
            if matrix_instructions(dtype, tile) is not None:
                least.append(size)
                break
    m, n, k = least
    kinds = " ".join(set(matrix_instructions(dtype, least)))
    print(f"{dtype}: M {m}, N {n}, K {k}, instruction {kinds}")
# --8<-- [end:demo]
