"""10.1.1: one launch, five languages: what each step of the compiler
makes of the same line, without a GPU."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it compiles, and launches nothing"
# ///

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from ch12_elementwise.fma_relu import fma_relu_kernel

H200 = GPUTarget("cuda", 90, 32)  # sm_90, warps of 32 threads

# --8<-- [start:source]
source = ASTSource(
    fn=fma_relu_kernel,
    signature={
        "x_ptr": "*fp32",
        "out_ptr": "*fp32",
        "a": "fp32",
        "b": "fp32",
        "n": "i32",
        "BLOCK": "constexpr",
    },
    constexprs={"BLOCK": 1024},
)
compiled = triton.compile(source, target=H200)
# --8<-- [end:source]

# --8<-- [start:demo]
STAGES = {
    "ttir": ("tt.load", "arith.mulf"),
    "ttgir": ("tt.load", "arith.mulf"),
    "llir": ("ld.global", "fmul"),
    "ptx": ("ld.global", "fma.rn.f32"),
}
for stage, marks in STAGES.items():
    # Behind the code PTX keeps this file's path, in lines by length.
    text = compiled.asm[stage].split(".section")[0]
    code = [
        line.split(" loc(")[0].split(", !dbg")[0].strip()
        for line in text.splitlines()
        if not line.lstrip().startswith((".loc", "#loc", "//"))
    ]
    print(f"== {stage} ==")
    print(f"lines: {len(code)}")
    for mark in marks:
        found = [line for line in code if mark in line]
        print(f"{mark}, lines: {len(found)}")
    print(f"the product: {found[0].expandtabs(1)}")
print("== cubin ==")
binary = compiled.asm["cubin"]
print(f"begins with: {binary[:4]}")
print(f"over 1 KiB: {len(binary) > 1024}")
print("== what goes with it ==")
for name in ("name", "num_warps", "num_stages", "shared"):
    print(f"{name}: {getattr(compiled.metadata, name)}")
# --8<-- [end:demo]
