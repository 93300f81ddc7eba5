"""Trap: three checks that pass a wrong kernel, one that does not."""

import torch
import torch.nn.functional as F

from ch12_elementwise.gelu_tanh import gelu_tanh

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:trap]
my_gelu = gelu_tanh  # its author believes that this is exact GELU


def passes(x, oracle, atol):
    out = my_gelu(x)
    return torch.allclose(out, oracle, rtol=0.0, atol=atol)


x = torch.linspace(-4.0, 4.0, 801, device=DEVICE)
ends = torch.tensor([-9.0, 0.0, 9.0], device=DEVICE)
tanh, exact = F.gelu(x, approximate="tanh"), F.gelu(x)
print(f"wrong oracle: {passes(x, tanh, 1e-6)}")
print(f"right oracle, atol=1e-3: {passes(x, exact, 1e-3)}")
print(f"right oracle, easy inputs: {passes(ends, F.gelu(ends), 1e-6)}")
print(f"right oracle, atol=2e-6: {passes(x, exact, 2e-6)}")
# --8<-- [end:trap]
