"""Trap of 14.1: the value of the masked lanes takes part."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def times(a, b):
    return a * b


@triton.jit
def padded_kernel(
    x_ptr,  # n floats
    out_ptr,  # sum, largest, smallest, product
    n,  # elements of x
    OTHER: tl.constexpr,  # what a masked lane holds
    BLOCK: tl.constexpr,  # lanes, at least n
):
    lane = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lane, mask=lane < n, other=OTHER)
    tl.store(out_ptr, tl.sum(x, axis=0))
    tl.store(out_ptr + 1, tl.max(x, axis=0))
    tl.store(out_ptr + 2, tl.min(x, axis=0))
    tl.store(out_ptr + 3, tl.reduce(x, 0, times))
# --8<-- [end:kernel]


print("== trap of 14.1: four temperatures below zero ==")
# --8<-- [start:trap]
x = torch.tensor([-3.0, -1.0, -4.0, -2.0], device=DEVICE)
out = torch.empty(4, device=DEVICE)
inf = float("inf")
for other in (0.0, 1.0, -inf, inf):
    for block in (4, 8):
        padded_kernel[(1,)](x, out, 4, OTHER=other, BLOCK=block)
        print(f"other {other}, BLOCK {block}: {out.tolist()}")
# --8<-- [end:trap]
