"""6.2: what the compiler makes of four sets of strides."""

import torch

from ch06_contract.one_address import flat_scale
from ch06_contract.strided_scale import scale

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 128

# --8<-- [start:demo]
torch.manual_seed(0)
x = torch.randn(N, N).to(DEVICE)
print(f"flat: {torch.equal(flat_scale(x, 2.0), 2 * x)}")
for name, view in [
    ("contiguous", x),
    ("transposed", x.T),
    ("every second column", x[:, ::2]),
    ("a row, expanded", x[:1].expand(N, N)),
]:
    out = scale(view, 2.0)
    print(f"{name} strides: {view.stride()}")
    print(f"{name} right: {torch.equal(out, 2 * view)}")
# --8<-- [end:demo]
