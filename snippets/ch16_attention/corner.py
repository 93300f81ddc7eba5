"""16.3: causal with fewer queries than keys: which corner of the
scores does the triangle sit in?"""

import torch
import torch.nn.functional as F
from torch.nn.attention.bias import causal_lower_right

from ch16_attention.forward import attention_forward

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
print("== 2 queries, 5 keys, causal ==")
q = torch.zeros(1, 1, 2, 16, device=DEVICE)  # equal weights
k = torch.zeros(1, 1, 5, 16, device=DEVICE)
v = torch.eye(5, 16, device=DEVICE).reshape(1, 1, 5, 16)


def seen(out):
    """Which keys have a weight, a row for each query."""
    rows = (out[0, 0, :, :5] > 0).int().tolist()
    return " ".join("".join(str(x) for x in row) for row in rows)


print("attention_forward:", seen(attention_forward(q, k, v, True)[0]))
causal = F.scaled_dot_product_attention(q, k, v, is_causal=True)
print("is_causal=True:", seen(causal))
bias = causal_lower_right(2, 5)
lower = F.scaled_dot_product_attention(q, k, v, attn_mask=bias)
print("causal_lower_right:", seen(lower))
# --8<-- [end:demo]
