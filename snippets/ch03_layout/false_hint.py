"""Trap of 3.5: a promise to the compiler that the caller breaks."""

# /// capture
# differs = """The interpreter ignores the promise; the compiled
# kernel relies on it and writes past n."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024


# --8<-- [start:trap]
@triton.jit
def promised_copy_kernel(
    x_ptr,  # address of x[0], float32
    out_ptr,  # address of out[0], float32
    n,  # how many elements there are: a multiple of LANES
    LANES: tl.constexpr,  # neighbours that share one mask value
    BLOCK: tl.constexpr,  # elements per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = tl.max_constancy(offsets < n, LANES)
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x, mask=mask)


x = torch.ones(1024, device=DEVICE)
for n in (1000, 1001):
    for lanes in (1, 4):
        out = torch.zeros(1024, device=DEVICE)
        promised_copy_kernel[(1,)](x, out, n, LANES=lanes, BLOCK=BLOCK)
        beyond = int(out[n:].sum())
        print(f"n = {n}, LANES = {lanes}, written beyond n: {beyond}")
# --8<-- [end:trap]
