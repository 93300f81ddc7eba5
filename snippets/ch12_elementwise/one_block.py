"""Trap: a wrapper that gives the whole tensor to one program."""

# /// capture
# runners = ["interpreter", "gpu"]
# differs = """Each mode refuses the block with an exception of
# its own; the cause is the same."""
# ///

import torch
import triton

from ch12_elementwise.fma_relu import fma_relu_kernel, fused_fma_relu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
def one_program(x, a, b):
    out = torch.empty_like(x)
    n = x.numel()
    block = triton.next_power_of_2(n)
    fma_relu_kernel[(1,)](x, out, a, b, n, BLOCK=block)
    return out


for n in (2**10, 2**20 + 1):
    x = torch.ones(n, device=DEVICE)
    try:
        one_program(x, 2.0, -1.0)
        print(f"one program, {n} elements: right")
    except Exception as error:
        print(f"one program, {n} elements: {type(error).__name__}")
        print(f"cause: {error.__cause__ or error}")

out = fused_fma_relu(x, 2.0, -1.0, block=2**16)
print(f"a real grid, {n} elements: {out.sum().item() == n}")
# --8<-- [end:trap]
