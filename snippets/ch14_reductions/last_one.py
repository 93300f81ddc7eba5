"""14.5: a combine function that is associative, and not commutative:
tl.reduce may not be given it, tl.associative_scan may."""

# /// capture
# differs = "compiled, a reduction meets its lanes in another order"
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 64


# --8<-- [start:kernel]
@triton.jit
def last_valid(a, b):
    """The right one of two, or the left where the right is 0."""
    return tl.where(b != 0.0, b, a)


@triton.jit
def last_one_kernel(
    x_ptr,  # BLOCK floats
    reduced_ptr,  # a single float
    scanned_ptr,  # BLOCK floats
    BLOCK: tl.constexpr,
):
    lane = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lane)
    tl.store(reduced_ptr, tl.reduce(x, 0, last_valid))
    scanned = tl.associative_scan(x, 0, last_valid)
    tl.store(scanned_ptr + lane, scanned)
# --8<-- [end:kernel]


print("== trap of 14.5: the last that is not 0 ==")
# --8<-- [start:trap]
for places in ((3, 16), (1, 2), (5, 40), (10, 11, 12)):
    x = torch.zeros(N, device=DEVICE)
    for place in places:
        x[place] = place
    reduced = torch.empty(1, device=DEVICE)
    scanned = torch.empty(N, device=DEVICE)
    last_one_kernel[(1,)](x, reduced, scanned, BLOCK=N)
    print(f"{places}, reduce: {reduced.item():.0f}")
    print(f"{places}, scan: {scanned[-1].item():.0f}")
# --8<-- [end:trap]
