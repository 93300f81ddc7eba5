"""Trap of 6.1: a kernel's output knows nothing of its input's
gradient, and training goes on with a wrong one."""

import torch

from ch06_contract.one_address import flat_scale

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:trap]
w = torch.tensor([1.0, 2.0, 3.0], device=DEVICE, requires_grad=True)

y = flat_scale(w, 2.0)
print(f"w.requires_grad: {w.requires_grad}")
print(f"y.requires_grad: {y.requires_grad}")
try:
    y.sum().backward()
except RuntimeError as error:
    print(f"y.sum().backward(): {type(error).__name__}: {error}")

loss = (w * flat_scale(w, 2.0)).sum()  # 2 w squared
loss.backward()
print(f"w.grad: {w.grad.tolist()}")
print(f"4 w, by hand: {(4 * w).tolist()}")
# --8<-- [end:trap]
