"""Trap of 19.1: what a stopwatch would measure in the interpreter.
Timing is refused there; what takes the time can be counted."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "it shows what the interpreter does"
# ///

import sys

import torch
import triton
import triton.testing

from ch12_elementwise.fma_relu import fused_fma_relu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 4096


# --8<-- [start:count]
def python_calls(fn):
    """How many Python functions run while fn does."""
    count = 0

    def profile(frame, event, argument):
        nonlocal count
        count += event == "call"

    fn()  # whatever happens only once
    sys.setprofile(profile)
    fn()
    sys.setprofile(None)
    return count
# --8<-- [end:count]


# --8<-- [start:demo]
print("== trap of 19.1: timing the interpreter ==")
x = torch.randn(N, device=DEVICE)
try:
    triton.testing.do_bench(lambda: fused_fma_relu(x, 1.1, -0.3))
except RuntimeError as error:
    print(f"do_bench: {error}")
one = None
for programs in (1, 2, 4, 8, 16, 32):
    block = N // programs
    calls = python_calls(lambda: fused_fma_relu(x, 1.1, -0.3, block))
    one = one or calls
    print(f"programs {programs}, calls over one: {calls / one:.1f}")
wide = torch.randn(16 * N, device=DEVICE)
calls = python_calls(lambda: fused_fma_relu(wide, 1.1, -0.3, 16 * N))
print(f"one, 16 times as wide, calls over one: {calls / one:.1f}")
# --8<-- [end:demo]
