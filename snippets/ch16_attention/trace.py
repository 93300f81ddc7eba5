"""16.2.1: one row of attention in two turns, by the recurrence that
the kernels use, beside the softmax of the whole row."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "it launches no kernel"
# ///

import math

import torch

print("== 16.2.1 one row in two turns ==")
# --8<-- [start:trace]
scores = torch.tensor([1.0, 2.0, 4.0, 1.0]).double().log()
v = torch.tensor([8.0, 4.0, 2.0, 0.0]).double()

largest, total, acc = -math.inf, 0.0, 0.0
for turn in (0, 1):
    s, values = scores[2 * turn :][:2], v[2 * turn :][:2]
    new = max(largest, s.max().item())
    p = torch.exp(s - new)
    shrink = math.exp(largest - new)
    total = total * shrink + p.sum().item()
    acc = acc * shrink + (p * values).sum().item()
    largest = new
    print(
        f"turn {turn}: p {p[0].item():.2f} {p[1].item():.2f}, "
        f"shrink {shrink:.2f}, total {total:.2f}, acc {acc:.2f}"
    )
print(f"acc over total: {acc / total:.4f}")
print(f"whole row: {(torch.softmax(scores, 0) @ v).item():.4f}")
# --8<-- [end:trace]
