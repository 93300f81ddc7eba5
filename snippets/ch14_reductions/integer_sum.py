"""Trap of 14.2: tl.sum of int32 stays int32."""

# /// capture
# differs = "the interpreter notices that the sum does not fit"
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
@triton.jit
def integer_sum_kernel(
    x_ptr,  # n int32
    out_ptr,  # a single int64
    n,  # elements of x
    WIDE: tl.constexpr,  # the type to add in
    BLOCK: tl.constexpr,  # lanes, at least n
):
    lane = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lane, mask=lane < n, other=0)
    tl.store(out_ptr, tl.sum(x.to(WIDE), axis=0))


x = torch.full((4,), 2**30, dtype=torch.int32, device=DEVICE)
for wide in (tl.int32, tl.int64):
    out = torch.full((1,), -1, device=DEVICE)
    try:
        integer_sum_kernel[(1,)](x, out, 4, WIDE=wide, BLOCK=4)
        print(f"in {wide}: {out.item()}")
    except Exception as error:
        print(f"in {wide}, raised: {type(error).__name__}")
        print(f"message: {error}")
print(f"torch: {x.sum().item()}")
# --8<-- [end:trap]
