"""20.5.1, the trap: a sixteenth step that four bits do not have goes
to the neighbour."""

# /// capture
# [labels]
# "* error" = { kind = "bound", limit = 3.0 }
# ///

import torch

from ch20_fused.int4_matmul import dequantize, groups_of
from ch20_fused.int4_matmul import int4_matmul, pack, quantize

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
GROUP = 64


# --8<-- [start:careless]
def careless_quantize(weight):
    """-8 to 7 are sixteen numbers, so: the largest becomes 8 steps."""
    wide = groups_of(weight, GROUP)
    scales = (wide.abs().amax(2) / 8).to(weight.dtype).contiguous()
    q = (wide / scales.float()[:, :, None]).round() + 8
    return pack(q), scales
# --8<-- [end:careless]


print("== 20.5.1 sixteen numbers, and a seventeenth ==")
# --8<-- [start:demo]
torch.manual_seed(0)
weight = torch.randn(64, 128).half().to(DEVICE)
x = torch.randn(4, 128).half().to(DEVICE)
exact = x.double() @ weight.double().T
for name, packed, scales in (
    ("careless", *careless_quantize(weight)),
    ("with room for both signs", *quantize(weight, GROUP)),
):
    again = dequantize(packed, scales.double(), 128)
    steps = scales.double().repeat_interleave(GROUP, 0).T
    off = ((again - weight).abs() / steps > 0.6).sum().item()
    out = int4_matmul(x, packed, scales)
    error = ((out - exact).norm() / exact.norm()).item()
    print(f"{name}, weights off by more than rounding: {off}")
    print(f"{name}, product's relative error: {error:.2f}")
# --8<-- [end:demo]
