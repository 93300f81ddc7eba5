"""10.5.1: one kernel for four GPUs, none of which is here."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it compiles, and launches nothing"
# ///

import re

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from ch12_elementwise.fma_relu import fma_relu_kernel

SIGNATURE = {
    "x_ptr": "*fp32",
    "out_ptr": "*fp32",
    "a": "fp32",
    "b": "fp32",
    "n": "i32",
    "BLOCK": "constexpr",
}


# --8<-- [start:compile]
TARGETS = {
    "sm_80": GPUTarget("cuda", 80, 32),  # A100
    "sm_90": GPUTarget("cuda", 90, 32),  # H100, H200
    "sm_100": GPUTarget("cuda", 100, 32),  # B200
    "gfx942": GPUTarget("hip", "gfx942", 64),  # MI300X
}


def compile_for(target, signature, constexprs, attrs=None, **options):
    source = ASTSource(fma_relu_kernel, signature, constexprs, attrs)
    return triton.compile(
        source, target=TARGETS[target], options=options
    )
# --8<-- [end:compile]


if __name__ == "__main__":
    print("== 10.5.1 four targets ==")
    # --8<-- [start:demo]
    for target, gpu in TARGETS.items():
        compiled = compile_for(target, SIGNATURE, {"BLOCK": 1024})
        stages = list(compiled.asm)
        text = compiled.asm[stages[-2]]  # the last that is text
        line = re.search(r"(?m)^\s*\.(?:amdgcn_)?target.*$", text)
        threads = compiled.metadata.num_warps * gpu.warp_size
        print(f"{target}, stages: {' '.join(stages[1:])}")
        print(f"{target}, for: {' '.join(line.group().split())}")
        print(f"{target}, threads: {threads}")
    # --8<-- [end:demo]
