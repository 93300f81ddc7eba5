"""Trap of 14.5: which of equal elements tl.argmax names."""

# /// capture
# differs = "with tie_break_left=False any of them may be named"
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def ties_kernel(
    x_ptr,  # n floats
    out_ptr,  # a single int32
    n,  # elements of x
    LEFT: tl.constexpr,  # the first of equal ones?
    BLOCK: tl.constexpr,  # lanes, at least n
):
    lane = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lane, mask=lane < n, other=float("-inf"))
    index = tl.argmax(x, axis=0, tie_break_left=LEFT)
    tl.store(out_ptr, index)
# --8<-- [end:kernel]


def ties(values, left):
    x = torch.tensor(values, device=DEVICE)
    out = torch.zeros(1, dtype=torch.int32, device=DEVICE)
    block = triton.next_power_of_2(len(values))
    ties_kernel[(1,)](x, out, len(values), LEFT=left, BLOCK=block)
    return out.item()


print("== trap of 14.5: equal elements ==")
# --8<-- [start:trap]
nan, inf = float("nan"), float("inf")
for title, values in (
    ("3 at 1 and 6", [0.0, 3, 1, 2, 0, 1, 3, 2]),
    ("six equal ones", [1.0] * 6),
    ("six of -inf", [-inf] * 6),
    ("NaN at 2", [1.0, 5, nan, 4, 0, 2]),
):
    for left in (True, False):
        print(f"{title}, left {left}: {ties(values, left)}")
    x = torch.tensor(values)
    print(f"{title}, torch: {x.argmax().item()}")
# --8<-- [end:trap]
