"""13.5.1: the tile of 128 x 256 x 64 with pointers and with
descriptors, compiled without a GPU."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it reads what is compiled, and launches nothing"
# ///

import re

import torch
from triton.tools.tensor_descriptor import TensorDescriptor

from ch11_hardware.warps import resources
from ch13_matmul.descriptors import descriptor_kernel
from ch13_matmul.grouped import grouped_kernel
from ch13_matmul.persistent import persistent_kernel

SIZE = 4096
BLOCKS = {"BLOCK_M": 128, "BLOCK_N": 256, "BLOCK_K": 64, "GROUP": 8}


def describe(block):
    return TensorDescriptor.from_tensor(x, block)


x = torch.empty(SIZE, SIZE, dtype=torch.bfloat16)
sizes = (SIZE, SIZE, SIZE)
strides = (SIZE, 1, SIZE, 1)
a, b = describe([128, 64]), describe([64, 256])
whole, half = describe([128, 256]), describe([128, 128])
loop = BLOCKS | {"B_COLS": False, "FLATTEN": True}
for name, stages, kernel, args, options in (
    ("pointers", 4, grouped_kernel,
     (x, x, x, *sizes, *strides), BLOCKS),
    ("descriptors", 4, descriptor_kernel,
     (a, b, whole, *sizes), BLOCKS | {"B_COLS": False}),
    ("persistent", 3, persistent_kernel,
     (a, b, whole, *sizes), loop | {"PARTS": 1}),
    ("persistent", 4, persistent_kernel,
     (a, b, whole, *sizes), loop | {"PARTS": 1}),
    ("in halves", 4, persistent_kernel,
     (a, b, half, *sizes), loop | {"PARTS": 2}),
):
    compiled = kernel.warmup(
        *args, **options, num_warps=8, num_stages=stages, grid=(1,)
    )
    ptx = compiled.asm["ptx"]
    registers, spilled = resources(compiled)
    by_threads = len(re.findall(r"cp\.async\.c[ag]\.", ptx))
    by_tma = len(re.findall(r"cp\.async\.bulk\.tensor", ptx))
    shared = compiled.metadata.shared
    print(
        f"{name}, {stages} stages: registers {registers}, "
        f"spilled {spilled}, copies {by_threads}, bulk {by_tma}, "
        f"shared {shared}, fits {shared <= 232448}"
    )
