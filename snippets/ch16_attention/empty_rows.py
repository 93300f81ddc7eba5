"""16.3: four queries, two keys, causal: the first two queries see no
key at all."""

import torch

from ch16_attention.backward import attention
from ch16_attention.online import DEVICE, online_attention
from ch16_attention.oracle import attention_oracle

# --8<-- [start:demo]
print("== queries that see no key ==")
q = torch.ones(1, 1, 4, 16, device=DEVICE)
k, v = torch.ones(2, 1, 1, 2, 16, device=DEVICE)


def rows(out):
    return [round(x, 4) for x in out[0, 0, :, 0].tolist()]


print("no guard:", rows(online_attention(q, k, v, True, guard=False)))
print("guarded:", rows(online_attention(q, k, v, True)))
print("attention:", rows(attention(q, k, v, True)))

hidden = torch.ones(4, 2, dtype=torch.bool, device=DEVICE).triu(-1)


def written_out(q, k, v):
    """As most people write it, without a thought for such rows."""
    scores = q @ k.transpose(-2, -1) * 0.25
    scores = scores.masked_fill(hidden, float("-inf"))
    return torch.softmax(scores, -1) @ v


print("written out:", rows(written_out(q, k, v)))
for name, function in (
    ("written out", written_out),
    ("oracle", lambda q, k, v: attention_oracle(q, k, v, True)),
    ("attention", lambda q, k, v: attention(q, k, v, True)),
):
    leaves = [x.clone().requires_grad_() for x in (q, k, v)]
    function(*leaves).sum().backward()
    bad = [int(x.grad.isnan().sum()) for x in leaves]
    print(f"{name}, NaN in the gradients of q, k, v: {bad}")
# --8<-- [end:demo]
