"""Trap of 14.5: a combine function that divides by the count, and
two lanes that hold nothing."""

# /// capture
# differs = "the interpreter never merges two empty groups"
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def merge_means(mean, count, mean_b, count_b):
    both = count + count_b
    mean += (mean_b - mean) * (count_b / both)  # 0 / 0 for two empty
    return mean, both


@triton.jit
def mean_kernel(
    x_ptr,  # n floats
    out_ptr,  # a single float
    n,  # elements of x
    BLOCK: tl.constexpr,  # lanes, at least n
):
    lane = tl.arange(0, BLOCK)
    mask = lane < n
    x = tl.load(x_ptr + lane, mask=mask, other=0.0)
    count = mask.to(tl.float32)
    mean, count = tl.reduce((x, count), 0, merge_means)
    tl.store(out_ptr, mean)
# --8<-- [end:kernel]


print("== trap of 14.5: nothing and nothing ==")
# --8<-- [start:trap]
for n in (8, 5, 4, 3, 1):
    x = torch.arange(1.0, n + 1, device=DEVICE)
    out = torch.empty(1, device=DEVICE)
    mean_kernel[(1,)](x, out, n, BLOCK=8)
    print(f"n {n}, mean: {out.item():.2f}, right: {(n + 1) / 2:.2f}")
# --8<-- [end:trap]
