"""Trap of 15.4: RMSNorm rounded once, and rounded twice."""

# /// capture
# [labels]
# "* elements" = { kind = "bound", limit = 16384 }
# ///

import torch

from ch15_softmax.rms_norm import rms_norm

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
EPS = 1e-5


# --8<-- [start:oracles]
def round_once(x, weight):
    """All in float32, rounded when it is stored."""
    wide = x.float()
    rstd = (wide.square().mean(-1, keepdim=True) + EPS).rsqrt()
    return (wide * rstd * weight.float()).to(x.dtype)


def round_twice(x, weight):
    """Normed in float32, rounded, then multiplied in x's dtype."""
    wide = x.float()
    rstd = (wide.square().mean(-1, keepdim=True) + EPS).rsqrt()
    return weight * (wide * rstd).to(x.dtype)
# --8<-- [end:oracles]


# --8<-- [start:trap]
torch.manual_seed(0)
x = torch.randn(64, 256).to(DEVICE, torch.float16)
weight = torch.randn(256).to(DEVICE, torch.float16)
ours, _ = rms_norm(x, weight, EPS)
theirs = torch.nn.functional.rms_norm(x, (256,), weight, EPS)
print(f"all elements: {x.numel()}")
for name, y in (("kernel", ours), ("torch.rms_norm", theirs)):
    once = (y == round_once(x, weight)).sum().item()
    twice = (y == round_twice(x, weight)).sum().item()
    print(f"{name}, rounded once, equal elements: {once}")
    print(f"{name}, rounded twice, equal elements: {twice}")
# --8<-- [end:trap]
