"""16.5: what the compiled forward kernel waits for: the products
still under way after each of its waits."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it reads what is compiled, and launches nothing"
# ///

import re

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from ch16_attention.forward import attention_kernel

# --8<-- [start:demo]
constants = {
    "CAUSAL": True, "LONG_FIRST": True, "BLOCK_M": 64, "BLOCK_N": 64,
    "BLOCK_D": 128, "PRECISION": "tf32",
}
signature = {name: "constexpr" for name in constants}
for name in attention_kernel.arg_names:
    if name.endswith("_desc"):
        signature[name] = "tensordesc<bf16[1, 1, 64, 128]>"
    elif name not in constants:
        signature[name] = {"lse_ptr": "*fp32", "scale2": "fp32"}.get(
            name, "i32"
        )
compiled = triton.compile(
    ASTSource(
        attention_kernel,
        {name: signature[name] for name in attention_kernel.arg_names},
        constants,
    ),
    target=GPUTarget("cuda", 90, 32),
    options={"num_warps": 4, "num_stages": 3},
)
waits = re.findall(r"wgmma\.wait_group\S* (\d+)", compiled.asm["ptx"])
print("waits:", len(waits))
print("waits for all but some:", sum(int(n) > 0 for n in waits))
# --8<-- [end:demo]
