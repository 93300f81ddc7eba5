"""12.3: the gap between the two GELU formulas, without a kernel."""

import torch
import torch.nn.functional as F

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:gap]
x = torch.linspace(-8.0, 8.0, 160001, device=DEVICE).double()
gap = F.gelu(x, approximate="tanh") - F.gelu(x, approximate="none")
worst = gap.abs().argmax()
print(f"largest gap: {gap[worst].abs().item():.2e}")
print(f"at |x|: {x[worst].abs().item():.2f}")
over = (gap.abs() > 1e-4).double().mean().item()
print(f"share of points where it is over 1e-4: {over:.2f}")
# --8<-- [end:gap]
