"""Trap: one program for the whole tensor needs no scratch, and stops
working above 2**20 elements."""

# /// capture
# rejects = ["partial_sums_kernel"]
# differs = "One limit, and two names for the exception."
# ///

import torch
import triton

from ch02_parameterization.scratch import (
    partial_sums_kernel,
    run_with_scratch,
)

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:demo]
def one_program(x):
    """The tempting shortcut: a single block as large as x."""
    total = torch.empty((), device=DEVICE)
    block = triton.next_power_of_2(x.numel())
    print("BLOCK:", block)
    partial_sums_kernel[(1,)](x, total, x.numel(), BLOCK=block)
    return total


print("== 1000 elements ==")
x = torch.ones(1000, device=DEVICE)
print("one program:", one_program(x).item())
print("== 2**20 + 1 elements ==")
x = torch.ones(2**20 + 1, device=DEVICE)
try:
    print("one program:", one_program(x).item())
except Exception as error:
    print("raised:", type(error).__name__)
    print("message:", str(error).splitlines()[-1])
print("a real grid:", run_with_scratch(x, block=2**14).item())
# --8<-- [end:demo]
