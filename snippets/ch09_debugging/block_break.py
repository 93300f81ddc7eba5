"""Trap of 9.3: a breakpoint under a condition on a block."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "A compiled kernel has no breakpoints."
# ///

import sys

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def stops_kernel(
    x_ptr,  # address of x[0], float32
    BLOCK: tl.constexpr,  # elements per program
):
    pid = tl.program_id(0)
    x = tl.load(x_ptr + pid * BLOCK + tl.arange(0, BLOCK))
    if x < 0:
        breakpoint()  # for each block
    if tl.min(x, axis=0) < 0:
        breakpoint()  # for a block with a negative element
# --8<-- [end:kernel]


# --8<-- [start:demo]
stops = []


def note():
    """In place of a debugger: who stopped, and at which line."""
    frame = sys._getframe(1)
    stops.append((frame.f_lineno, frame.f_locals["pid"].handle.data[0]))


sys.breakpointhook = note
x = torch.ones(4, 4, device=DEVICE)
x[2, 1] = -1.0  # one negative element, in program 2
stops_kernel[(4,)](x, BLOCK=4)
first, last = min(stops)[0], max(stops)[0]
print("if x < 0:", [int(p) for line, p in stops if line == first])
print("if tl.min(x):", [int(p) for line, p in stops if line == last])
# --8<-- [end:demo]
