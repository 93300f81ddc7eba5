"""12.3: the kernel and torch's GELU, both against float64."""

# /// capture
# [labels]
# "torch, *" = { kind = "volatile" }
# "kernel error" = { kind = "bound", limit = 1e-6 }
# "torch error, *" = { kind = "bound", limit = 1e-5 }
# "* worst" = { kind = "bound", limit = 1e-5 }
# "kernel worst over eps*|x|" = { kind = "bound", limit = 2 }
# "torch worst over eps*|x|" = { kind = "bound", limit = 10 }
# "*, points" = { kind = "volatile" }
# "closer, *" = { kind = "volatile" }
# "tail *" = { kind = "volatile" }
# "at +inf, torch*" = { kind = "volatile" }
# ///

import math
import warnings

import torch
import torch.nn.functional as F

from ch12_elementwise.gelu_exact import gelu_exact

# the interpreter computes with NumPy, which warns about -inf * 0
warnings.filterwarnings("ignore", category=RuntimeWarning)

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
EPS = 2.0**-23  # the gap between 1.0 and the next float32


# --8<-- [start:truth]
def gelu_float64(x):
    """x * Phi(x) with erfc, which does not cancel for x < 0."""
    values = x.double().tolist()
    return torch.tensor(
        [0.5 * v * math.erfc(-v / math.sqrt(2.0)) for v in values],
        dtype=torch.float64,
    )
# --8<-- [end:truth]


if __name__ == "__main__":
    # --8<-- [start:one]
    print("== at x = -3 ==")
    x = torch.full((8,), -3.0, device=DEVICE)
    ours = gelu_exact(x)[0].item()
    theirs = F.gelu(x)[0].item()
    alone = F.gelu(x[:1])[0].item()
    truth = gelu_float64(x)[0].item()
    print(f"float64: {truth:.10f}")
    print(f"kernel: {ours:.10f}")
    print(f"torch, 8 elements: {theirs:.10f}")
    print(f"torch, 1 element: {alone:.10f}")
    print(f"kernel error: {abs(ours - truth):.1e}")
    print(f"torch error, 8 elements: {abs(theirs - truth):.1e}")
    print(f"torch error, 1 element: {abs(alone - truth):.1e}")
    closer = abs(ours - truth) < abs(theirs - truth)
    print(f"closer, among 8: {'the kernel' if closer else 'torch'}")
    # --8<-- [end:one]

    # --8<-- [start:sweep]
    print("== 8001 points from -8 to 8 ==")
    x = torch.linspace(-8.0, 8.0, 8001)
    truth = gelu_float64(x)
    x = x.to(DEVICE)
    ours = (gelu_exact(x).double().cpu() - truth).abs()
    theirs = (F.gelu(x).double().cpu() - truth).abs()
    unit = EPS * x.double().cpu().abs().clamp_min(1e-30)
    for name, error in (("kernel", ours), ("torch", theirs)):
        print(f"{name} worst: {error.max().item():.1e}")
        worst = (error / unit).max().item()
        print(f"{name} worst over eps*|x|: {worst:.2f}")
    print(f"kernel closer at, points: {(ours < theirs).sum().item()}")
    print(f"torch closer at, points: {(theirs < ours).sum().item()}")
    # --8<-- [end:sweep]

    # --8<-- [start:tail]
    print("== far left, and at infinity ==")
    for value in (-4.0, -5.0, -6.0):
        x = torch.full((8,), value, device=DEVICE)
        truth = gelu_float64(x)[0].item()
        ours = abs(gelu_exact(x)[0].item() / truth - 1.0)
        theirs = abs(F.gelu(x)[0].item() / truth - 1.0)
        print(f"float64 at {value:g}: {truth:.3e}")
        print(f"tail {value:g}, kernel relative: {ours:.1e}")
        print(f"tail {value:g}, torch relative: {theirs:.1e}")
    x = torch.full((8,), math.inf, device=DEVICE)
    print(f"at +inf, kernel: {gelu_exact(x)[0].item()}")
    print(f"at +inf, torch, 8 elements: {F.gelu(x)[0].item()}")
    print(f"at +inf, torch, 1 element: {F.gelu(x[:1])[0].item()}")
    print(f"at -inf, kernel: {gelu_exact(-x)[0].item()}")
    # --8<-- [end:tail]
