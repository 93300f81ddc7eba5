"""Trap of 4.5: a descriptor made in the kernel is not checked when it
is compiled. Rows of 20 bytes break the contract."""

# /// capture
# differs = """The interpreter checks what the compiled kernel takes on
# trust."""
# ///

import torch
import triton

from ch04_pointers.descriptor_copy import copy_made_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
triton.set_allocator(
    lambda size, align, stream: torch.empty(
        size, dtype=torch.int8, device=DEVICE
    )
)
x = torch.arange(20.0, device=DEVICE).reshape(4, 5)
out = torch.full((4, 8), -1.0, device=DEVICE)
try:  # on the GPU, this is the last thing that the program does
    copy_made_kernel[(1, 1)](
        x, out, 4, 4, x.stride(0), 8, BLOCK_M=4, BLOCK_N=4
    )
    shown = out.tolist()
except Exception as error:
    shown = []
    cause = str(error.__cause__ or error)
    print(f"raised: {cause.splitlines()[0]}")
for number, row in enumerate(shown):
    print(f"row {number}, wanted: {x[number, :4].tolist()}")
    print(f"row {number}, copied: {row[:4]}")
# --8<-- [end:demo]
