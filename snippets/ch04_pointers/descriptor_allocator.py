"""Trap of 4.5: a descriptor made in the kernel needs scratch memory,
and so an allocator. The interpreter does not ask for one."""

# /// capture
# differs = """Compiled, the kernel writes its descriptors to memory
# that an allocator must provide; interpreted, it needs none."""
# ///

import torch
import triton

from ch04_pointers.descriptor_copy import copy_made_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:demo]
def allocate(size, alignment, stream):
    print(f"the launch asked for scratch: {size > 0}")
    return torch.empty(size, dtype=torch.int8, device=DEVICE)


x = torch.arange(64.0, device=DEVICE).reshape(8, 8)
out = torch.zeros_like(x)
for title in ("no allocator", "an allocator"):
    print(f"== {title} ==")
    if title == "an allocator":
        triton.set_allocator(allocate)
    try:
        copy_made_kernel[(2, 2)](
            x, out, 8, 8, 8, 8, BLOCK_M=4, BLOCK_N=4
        )
    except RuntimeError as error:
        print(f"raised: {type(error).__name__}")
        print(f"message: {str(error).split('. ')[0]}")
    print(f"copied: {torch.equal(out, x)}")
# --8<-- [end:demo]
