"""Trap of 14.3: three mistakes that one BLOCK shows, another not."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def careless_kernel(
    x_ptr,  # one row of cols floats, with others behind it
    out_ptr,  # a single float
    cols,  # elements of the row
    HOW: tl.constexpr,  # which mistake
    BLOCK: tl.constexpr,  # elements read in one turn
):
    lane = tl.arange(0, BLOCK)
    if HOW == "largest, padded with 0":
        best = tl.full((BLOCK,), float("-inf"), tl.float32)
        for start in range(0, cols, BLOCK):
            place = start + lane
            x = tl.load(x_ptr + place, mask=place < cols, other=0.0)
            best = tl.maximum(best, x)
        tl.store(out_ptr, tl.max(best, axis=0))
    else:
        turns = tl.cdiv(cols, BLOCK)
        if HOW == "sum, turns rounded down":
            turns = cols // BLOCK
        total = tl.zeros((BLOCK,), tl.float32)
        for turn in range(0, turns):
            total += tl.load(x_ptr + turn * BLOCK + lane)  # no mask
        tl.store(out_ptr, tl.sum(total, axis=0))
# --8<-- [end:kernel]


print("== trap of 14.3: a row of twelve ==")
# --8<-- [start:trap]
x = torch.full((32,), -100.0, device=DEVICE)
x[:12] = torch.arange(-12.0, 0.0, device=DEVICE)  # -12 to -1
print(f"right, sum: {x[:12].sum().item():.0f}")
print(f"right, largest: {x[:12].max().item():.0f}")
for how in ("sum, no mask", "sum, turns rounded down",
            "largest, padded with 0"):
    for block in (1, 2, 4, 8, 16):
        out = torch.zeros(1, device=DEVICE)
        careless_kernel[(1,)](x, out, 12, HOW=how, BLOCK=block)
        print(f"{how}, BLOCK {block}: {out.item():.0f}")
# --8<-- [end:trap]
