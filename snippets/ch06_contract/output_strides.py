"""Trap of 6.2: an output of empty_like, written as contiguous."""

import torch

from ch06_contract.strided_scale import BLOCK_COLS, BLOCK_ROWS
from ch06_contract.strided_scale import launch_scale

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = (BLOCK_ROWS, BLOCK_COLS)

# --8<-- [start:trap]
x = torch.arange(6.0, device=DEVICE).reshape(2, 3)
for name, view in [
    ("contiguous", x),
    ("every second column", x[:, ::2]),
    ("transposed", x.T),
]:
    out = torch.empty_like(view)
    assumed = (out.shape[1], 1)
    launch_scale(view, view.stride(), out, assumed, 2.0, BLOCK)
    print(f"{name} strides of empty_like: {out.stride()}")
    print(f"{name} strides assumed: {assumed}")
    print(f"{name} kernel: {out.tolist()}")
    print(f"{name} torch: {(2 * view).tolist()}")
# --8<-- [end:trap]
