"""16.2: lanes beyond the last key get a score of 0, which is a score
like any other."""

import torch

from ch16_attention.online import DEVICE, online_attention

# --8<-- [start:demo]
print("== 5 keys in a block of 16 ==")
q = torch.zeros(1, 1, 1, 16, device=DEVICE)  # all scores are 0
k, v = torch.ones(2, 1, 1, 5, 16, device=DEVICE)
for mask_tail in (True, False):
    out = online_attention(q, k, v, mask_tail=mask_tail)
    print(f"tail masked {mask_tail}: {out[0, 0, 0, 0].item():.4f}")
# --8<-- [end:demo]
