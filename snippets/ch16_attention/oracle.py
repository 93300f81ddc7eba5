"""16.1.1: attention written out, the oracle of the chapter, on an
example that can be worked by hand."""

import math

import torch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:oracle]
def attention_oracle(q, k, v, causal=False, scale=None):
    """softmax(q k^T scale) v, with every score in memory.

    With causal, the last query sees every key, the one before it all
    but the last, and so on. A query that sees no key gives zeros.
    """
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    scores = q @ k.transpose(-2, -1) * scale
    if not causal:
        return torch.softmax(scores, dim=-1) @ v
    queries, keys = scores.shape[-2:]
    row = torch.arange(queries, device=q.device)[:, None]
    column = torch.arange(keys, device=q.device)
    hidden = column > row + keys - queries
    scores = scores.masked_fill(hidden, float("-inf"))
    weights = torch.softmax(scores, dim=-1)
    return weights.masked_fill(hidden, 0.0) @ v  # 0 for NaN as well
# --8<-- [end:oracle]


def listed(x):
    """The numbers of x, rounded, in a list."""
    return [round(value, 4) for value in x.flatten().tolist()]


if __name__ == "__main__":
    print("== 16.1.1 three queries, three keys ==")
    # --8<-- [start:demo]
    q = torch.tensor([0.0, math.log(2), math.log(2)], device=DEVICE)
    k = torch.tensor([0.0, 1.0, 2.0], device=DEVICE)
    v = torch.tensor([7.0, 14.0, 0.0], device=DEVICE)
    q, k, v = (x.double().reshape(1, 1, 3, 1) for x in (q, k, v))
    print("all keys:", listed(attention_oracle(q, k, v)))
    print("causal:", listed(attention_oracle(q, k, v, causal=True)))
    late = attention_oracle(q, k[:, :, :2], v[:, :, :2], causal=True)
    print("causal, two keys:", listed(late))
    # --8<-- [end:demo]
