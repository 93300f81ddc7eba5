"""14.3: how the error of a sum grows with its length, on a GPU."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "n *" = { kind = "bound", limit = 1e7 }
# ///

import torch

from ch07_numerics.row_sums import row_sum
from ch14_reductions.bits import halves

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS = 128  # sums of each length


# --8<-- [start:measure]
def in_half_eps(sums, exact):
    """The root of the mean square of the relative errors."""
    half_eps = torch.finfo(torch.float32).eps / 2
    error = (sums.double() / exact - 1.0) / half_eps
    return error.square().mean().sqrt().item()


def measure(x, n):
    exact = x.double().sum(1)
    ways = {
        "one after another": row_sum(x, "plain", 1),
        "128 lanes": row_sum(x, "plain", 128),
        "1024 lanes": row_sum(x, "plain", 1024),
        "pairwise": halves(x),
        "kahan": row_sum(x, "kahan", 1),
    }
    for name, sums in ways.items():
        print(f"n {n} {name}: {in_half_eps(sums, exact):.4g}")


torch.manual_seed(0)
print("== between 0 and 1 ==")
for power in range(4, 21, 2):
    n = 2**power
    measure(torch.rand(ROWS, n, device=DEVICE), n)
print("== all 0.1 ==")
for power in range(4, 21, 2):
    n = 2**power
    measure(torch.full((1, n), 0.1, device=DEVICE), n)
# --8<-- [end:measure]
