"""Trap of 8.2: a zeroed output hides what the kernel forgot."""

import torch
import triton

from ch08_allocation.lower import poisoned_like, unwritten
from ch12_elementwise.three_kernels import relu_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 4


# --8<-- [start:trap]
def short_relu(x, make):
    """relu(x), but the grid is rounded down: the tail is lost."""
    out = make(x)
    n = x.numel()
    if n >= BLOCK:
        relu_kernel[(n // BLOCK,)](x, out, n, BLOCK=BLOCK)
    return out


x = torch.tensor([3.0, -1, 4, -1, 5, -9, 2, 6, -5, -3], device=DEVICE)
for name, make in [
    ("zeros", torch.zeros_like),
    ("poison", poisoned_like),
]:
    out = short_relu(x, make)
    print(f"from {name}: {out.tolist()}")
    print(f"from {name}, passes: {torch.equal(out, torch.relu(x))}")
kept = unwritten(lambda out: short_relu(x, lambda _: out), x.clone())
print(f"never written: {kept.nonzero().flatten().tolist()}")
# --8<-- [end:trap]
