"""1.2: how many machine instructions a known width saves, counted
without a GPU."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it counts what is compiled, and launches nothing"
# ///

import subprocess
import tempfile

import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource

from ch01_model.fold import columns_kernel, fixed_columns_kernel

H200 = GPUTarget("cuda", 90, 32)  # sm_90, warps of 32 threads
NVDISASM = triton.knobs.nvidia.nvdisasm.path  # comes with Triton


# --8<-- [start:demo]
def instructions(kernel, **constants):
    """How many machine instructions the kernel has on sm_90."""
    signature = {
        name: "constexpr" if name in constants else "i32"
        for name in kernel.arg_names
    }
    signature["out_ptr"] = "*i32"
    source = ASTSource(kernel, signature, constants)
    with tempfile.NamedTemporaryFile() as file:
        compiled = triton.compile(source, target=H200)
        file.write(compiled.asm["cubin"])
        file.flush()
        listing = subprocess.check_output(
            [NVDISASM, "-c", file.name],
            stderr=subprocess.DEVNULL,
            text=True,
        )
    code = listing.split(".L_x_0:")[0]  # padding follows
    return code.count(" ;")


print("run time:", instructions(columns_kernel, BLOCK=128))
for width in [97, 128]:
    count = instructions(
        fixed_columns_kernel, WIDTH=width, BLOCK=128
    )
    print(f"constexpr, WIDTH {width}: {count}")
# --8<-- [end:demo]
