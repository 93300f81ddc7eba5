"""16.2: the sums are not rescaled when a larger score comes. Whether
a test notices depends on the order of its keys."""

# /// capture
# [labels]
# "*, rescaled" = { kind = "bound", limit = 2e-6 }
# "largest first, forgotten" = { kind = "bound", limit = 2e-6 }
# ///

import torch

from ch16_attention.online import DEVICE, online_attention
from ch16_attention.oracle import attention_oracle

# --8<-- [start:demo]
print("== the forgotten factor ==")
q = torch.ones(1, 1, 16, 16, device=DEVICE)
k = torch.linspace(1.0, -1.0, 64, device=DEVICE)  # scores fall
k = k[:, None].expand(64, 16).reshape(1, 1, 64, 16).contiguous()
v = torch.arange(64.0, device=DEVICE)
v = v[:, None].expand(64, 16).reshape(1, 1, 64, 16).contiguous()
for title, keys, values in (
    ("largest first", k, v),
    ("largest last", k.flip(2), v.flip(2)),
):
    true = attention_oracle(q, keys, values)
    for name, rescale in (("rescaled", True), ("forgotten", False)):
        out = online_attention(q, keys, values, rescale=rescale)
        error = ((out - true).abs().max() / true.abs().max()).item()
        print(f"{title}, {name}: {error:.2e}")
# --8<-- [end:demo]
