"""Trap of 3.1: reshape copies where it must, and a kernel then
writes into the copy."""

import torch
import triton

from ch03_layout.views import copy_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024


# --8<-- [start:trap]
def overwrite(flat):
    """Put nines where flat lies."""
    nines = torch.full_like(flat, 9)
    n = flat.numel()
    grid = (triton.cdiv(n, BLOCK),)
    copy_kernel[grid](nines, flat, n, BLOCK=BLOCK)


x = torch.zeros(2, 3, device=DEVICE)
overwrite(x.reshape(-1))
print(f"through x.reshape(-1): {x.tolist()}")

x = torch.zeros(2, 3, device=DEVICE)
overwrite(x.T.reshape(-1))
print(f"through x.T.reshape(-1): {x.tolist()}")

try:
    overwrite(x.T.view(-1))
except RuntimeError as error:
    print(f"x.T.view(-1): {type(error).__name__}: {error}")
# --8<-- [end:trap]
