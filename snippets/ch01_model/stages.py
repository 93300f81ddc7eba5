"""1.1: trace and compile without a GPU, and look at each stage."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it compiles without a GPU, and launches nothing"
# ///

import re

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from ch01_model.relu_toggle import _relu_toggle_kernel

H200 = GPUTarget("cuda", 90, 32)  # sm_90, warps of 32 threads


# --8<-- [start:demo]
def compile_for(target, use_relu):
    """What a launch does at first, without the launch."""
    source = ASTSource(
        fn=_relu_toggle_kernel,
        signature={
            "x_ptr": "*fp32",
            "out_ptr": "*fp32",
            "n": "i32",
            "USE_RELU": "constexpr",
            "BLOCK": "constexpr",
        },
        constexprs={"USE_RELU": use_relu, "BLOCK": 128},
    )
    return triton.compile(source, target=target)


def recorded(kernel):
    """The operations that tracing left, each with its type."""
    body = kernel.asm["ttir"].split("tt.func")[1]
    for line in body.splitlines()[1:]:
        line = line.split(" loc(")[0].strip()
        name = re.search(r"(arith|tt)\.\w+", line)
        if name:
            kind = line.split(" : ")[-1] if " : " in line else ""
            yield f"{name.group():20}{kind}".rstrip()


with_clamp = compile_for(H200, True)
without = compile_for(H200, False)
print("== what tracing recorded, USE_RELU True ==")
for operation in recorded(with_clamp):
    print(operation)
print("== what came of it ==")
print("stages:", " ".join(with_clamp.asm))
for name, kernel in [("True", with_clamp), ("False", without)]:
    clamps = sum("maxnum" in op for op in recorded(kernel))
    print(f"USE_RELU {name}, operations: {len([*recorded(kernel)])}")
    print(f"USE_RELU {name}, clamps traced: {clamps}")
    ptx = kernel.asm["ptx"].count("max.f32")
    print(f"USE_RELU {name}, max.f32 in the PTX: {ptx}")
same = with_clamp.asm["cubin"] == without.asm["cubin"]
print("same machine code:", same)
# --8<-- [end:demo]
