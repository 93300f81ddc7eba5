"""7.5: how far nine functions are from float64, in ulps."""

# /// capture
# [labels]
# "worst" = { kind = "bound", limit = 1e6 }
# "error *" = { kind = "bound", limit = 100 }
# ///

import torch

from ch07_numerics.functions import apply

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 20000
EDGES = [0.5, 1, 2, 4, 8, 16, 32]


# --8<-- [start:ulp]
def ulp(truth):
    """The step between float32 numbers at each truth, a float64."""
    _, exponent = torch.frexp(truth)
    return torch.ldexp(torch.ones_like(truth), exponent - 24)


def ulp_error(out, truth):
    """By how many steps out, a float32, misses the truth."""
    return (out.cpu().double() - truth).abs() / ulp(truth)
# --8<-- [end:ulp]


# --8<-- [start:cases]
def cases(n=N):
    """Name, inputs and the truth in float64 for each function."""
    torch.manual_seed(0)
    wide = 160.0 * torch.rand(n) - 80.0
    positive = 100.0 * torch.rand(n) + 1e-3
    x, y = torch.randn(n), torch.randn(n)
    small = 6.0 * torch.rand(n) + 0.01
    yield "x / y", x, y, x.double() / y.double()
    yield "div_rn", x, y, x.double() / y.double()
    yield "sqrt", positive, None, positive.double().sqrt()
    yield "sqrt_rn", positive, None, positive.double().sqrt()
    yield "rsqrt", positive, None, positive.double().rsqrt()
    yield "exp", wide, None, wide.double().exp()
    yield "exp2", wide, None, wide.double().exp2()
    yield "log", positive, None, positive.double().log()
    yield "sin", small, None, small.double().sin()
# --8<-- [end:cases]


if __name__ == "__main__":
    # --8<-- [start:demo]
    for name, x, y, truth in cases():
        y = None if y is None else y.to(DEVICE)
        error = ulp_error(apply(name, x.to(DEVICE), y, 4096), truth)
        print(f"== {name} ==")
        print(f"worst: {error.max().item():.2f}")
        low = 0.0
        for high in EDGES:
            share = ((error > low) & (error <= high)).double().mean()
            if low == 0.0:  # exact ones belong to the first bin
                share = (error <= high).double().mean()
            print(f"error up to {high}: {100 * share.item():.2f}")
            low = high
        share = (error > low).double().mean()
        print(f"error above {low}: {100 * share.item():.2f}")
    # --8<-- [end:demo]
