"""Trap of 15.4: the weight's gradient by number of programs."""

# /// capture
# [labels]
# "* differ" = { kind = "bound", limit = 2000 }
# "* relative diff" = { kind = "bound", limit = 1e-5 }
# ///

import torch

from ch15_softmax.norm_backward import norm_backward
from ch15_softmax.rms_norm import rms_norm

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:trap]
torch.manual_seed(0)
x, grad = torch.randn(2, 300, 2000).to(DEVICE)
weight = torch.ones(2000, device=DEVICE)
_, rstd = rms_norm(x, weight)


def dweight(programs):
    _, sums = norm_backward(grad, x, weight, None, rstd, programs)
    return sums


unit = x.double() * rstd.double()[:, None]
truth = (grad.double() * unit).sum(0)
first = dweight(4)
print(f"4 programs, again, equal: {torch.equal(dweight(4), first)}")
for programs in (1, 3, 60):
    other = dweight(programs)
    name = f"{programs} programs against 4"
    print(f"{name}, equal: {torch.equal(other, first)}")
    print(f"{name}, elements that differ: {(other != first).sum()}")
for programs in (1, 4, 60):
    worst = (dweight(programs) - truth).abs().max() / truth.abs().max()
    print(f"{programs} programs, relative diff: {worst.item():.1e}")
# --8<-- [end:trap]
