"""Trap of 4.3: a store through a stride of 0. Every row is written to
the same four elements; torch refuses, a kernel does not."""

# /// capture
# [labels]
# "row that is left" = { kind = "bound", limit = 2 }
# ///

import torch
import triton

from ch04_pointers.tile_copy import copy2d, copy_tile_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
x = torch.arange(12.0, device=DEVICE).reshape(3, 4)
out = torch.full((1, 4), -1.0, device=DEVICE)
wide = out.expand(3, 4)
print(f"strides of the target: {wide.stride()}")
try:
    wide.copy_(x)
except RuntimeError as error:
    print(f"torch: {str(error).split('.')[0]}")

try:
    copy2d(x, wide)
except ValueError as error:
    print(f"copy2d: {error}")

M, N = x.shape
copy_tile_kernel[(M, 1)](
    x, wide, M, N, *x.stride(), *wide.stride(), BLOCK_M=1, BLOCK_N=4
)
rows = [row for row in range(M) if torch.equal(x[row], out[0])]
print(f"elements for 12 values: {out.numel()}")
print(f"what is left is one row: {len(rows) == 1}")
print(f"row that is left: {rows[0] if rows else -1}")
print(f"strides of empty_like: {torch.empty_like(wide).stride()}")
# --8<-- [end:demo]
