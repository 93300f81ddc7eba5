"""9.4, shapes: launches that fail inside of a function of Triton's,
so that the outermost message has no reason."""

# /// capture
# runners = ["interpreter", "gpu"]
# differs = "The name of the exception, and the words for an axis."
# ///

import torch
import triton
import triton.language as tl

from ch09_debugging.reject_types import attempt

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernels]
@triton.jit
def three_zeros_kernel(
    out_ptr,  # address of one element
):
    tl.store(out_ptr, tl.sum(tl.zeros((3,), tl.float32), axis=0))


@triton.jit
def run_time_zeros_kernel(
    out_ptr,  # address of the output
    n,  # its elements, known at run time
):
    tl.store(out_ptr, tl.sum(tl.zeros((n,), tl.float32), axis=0))


@triton.jit
def axis_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of one element: the sum
    BLOCK: tl.constexpr,  # elements of the input
):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.store(out_ptr, tl.sum(x, axis=1))
# --8<-- [end:kernels]


# --8<-- [start:demo]
x = torch.arange(4.0, device=DEVICE)
out = torch.zeros(4, device=DEVICE)
one = (1,)

attempt("zeros of 3", lambda: three_zeros_kernel[one](out))
attempt("zeros of n", lambda: run_time_zeros_kernel[one](out, 4))
attempt("axis of a line", lambda: axis_kernel[one](x, out, 4))
# --8<-- [end:demo]
