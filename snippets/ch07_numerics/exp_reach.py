"""7.5: the error of tl.exp grows with |x|; derived and measured."""

# /// capture
# [labels]
# "near * tl.exp" = { kind = "bound", limit = 60 }
# "worst over bound" = { kind = "bound", limit = 1 }
# ///

import torch

from ch07_numerics.functions import apply

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2000  # points in each interval
EPS = 2.0**-23


# --8<-- [start:bound]
def exp_bound(x):
    """Relative error of exp as 2 ** (x * log2(e)), in eps.

    The product is off by half an eps of itself, and the constant by
    0.11 eps: 0.61 * |x|. Two ulps (of at most one eps) for 2 ** z."""
    return 0.61 * x.abs() + 2.0
# --8<-- [end:bound]


if __name__ == "__main__":
    # --8<-- [start:demo]
    torch.manual_seed(0)
    worst = 0.0
    for low in range(-80, 80, 10):
        x = low + 10.0 * torch.rand(N)
        truth = x.double().exp()
        out = apply("exp", x.to(DEVICE)).cpu().double()
        error = (out / truth - 1.0).abs() / EPS
        near, edge = low + 5, torch.tensor(max(-low, low + 10))
        print(f"near {near} tl.exp: {error.max().item():.2f}")
        print(f"near {near} bound: {exp_bound(edge).item():.1f}")
        ratio = (error / exp_bound(x)).max().item()
        worst = max(worst, ratio)
    print(f"worst over bound: {worst:.2f}")
    # --8<-- [end:demo]
