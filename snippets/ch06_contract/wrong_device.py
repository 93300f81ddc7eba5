"""6.1: a tensor in the CPU's memory, given to a kernel."""

# /// capture
# differs = """Interpreted, kernels run on the CPU, so its memory is
# the right one. On the GPU the launcher asks the driver about every
# address."""
# ///

import torch
import triton

from ch06_contract.one_address import flat_scale_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 4

# --8<-- [start:demo]
x = torch.arange(4.0)  # on the CPU, wherever the kernel runs
out = torch.empty(N, device=DEVICE)
grid = (triton.cdiv(N, 4),)
try:
    flat_scale_kernel[grid](x, out, 2.0, N, BLOCK=4)
    print(f"out: {out.tolist()}")
except ValueError as error:
    print(f"{type(error).__name__}: {error}")
# --8<-- [end:demo]
