"""Trap of 15.1: rows padded with 0, and scores that hide it."""

import torch

from ch05_grids.softmax_pad import softmax

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
COLS = 100  # of 128 lanes

# --8<-- [start:trap]
print("== trap of 15.1: padding of 0 ==")
torch.manual_seed(0)
x = torch.randn(4, COLS).to(DEVICE)
for centre in (-10, -3, 0, 3, 10, 20):
    scores = x + centre
    y = softmax(scores, pad=0.0)
    good = torch.allclose(y, torch.softmax(scores, 1))
    print(f"centre {centre} row sum: {y[0].sum().item():.4f}")
    print(f"centre {centre} allclose: {good}")
# --8<-- [end:trap]
