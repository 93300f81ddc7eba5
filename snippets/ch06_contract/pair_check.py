"""Solution 4: the checks that a kernel with two inputs adds."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch

from ch06_contract.silu import check_float

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:pair]
def check_pair(x, y):
    """x and y in one shape: views, the smaller with stride 0."""
    check_float("x", x)
    check_float("y", y)
    if x.dtype != y.dtype:
        raise TypeError(f"x is {x.dtype}, y is {y.dtype}")
    if x.device != y.device:
        raise ValueError(f"x is on {x.device}, y is on {y.device}")
    try:
        return torch.broadcast_tensors(x, y)
    except RuntimeError:
        raise ValueError(
            f"shapes {tuple(x.shape)} and {tuple(y.shape)} "
            "do not broadcast"
        ) from None
# --8<-- [end:pair]


# --8<-- [start:demo]
x = torch.zeros(4, 6, device=DEVICE)
for name, y in [
    ("bias", torch.zeros(6, device=DEVICE)),
    ("column", torch.zeros(4, 1, device=DEVICE)),
    ("wrong length", torch.zeros(4, device=DEVICE)),
    ("wrong dtype", torch.zeros(6, device=DEVICE).half()),
]:
    try:
        print(f"{name} strides: {check_pair(x, y)[1].stride()}")
    except (TypeError, ValueError) as error:
        print(f"{name}: {type(error).__name__}: {error}")
# --8<-- [end:demo]
