"""Trap of 6.4: the output is reshaped for the kernel, and the kernel
writes into a copy that nobody keeps."""

import torch

from ch06_contract.silu import launch_silu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
def careless_silu(x):
    out = torch.zeros_like(x)  # zeros, so that we can see it
    cols = x.shape[-1]
    launch_silu(x.reshape(-1, cols), out.reshape(-1, cols))
    return out


x = torch.ones(2, 3, 4, device=DEVICE)
swapped = x.transpose(0, 1)
for name, value in [("contiguous", x), ("swapped", swapped)]:
    out = careless_silu(value)
    print(f"{name} strides of out: {out.stride()}")
    print(f"{name} elements written: {out.count_nonzero().item()}")
try:
    torch.zeros_like(swapped).view(-1, 4)
except RuntimeError as error:
    print(f"view: {str(error).partition('.')[0]}")
# --8<-- [end:trap]
