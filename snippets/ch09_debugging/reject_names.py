"""9.4, names and calls: what a kernel may call. One program each, with
a lane for every element: no mask is needed."""

# /// capture
# rejects = [
#   "misspelt_kernel",
#   "math_kernel",
#   "method_kernel",
#   "power_kernel",
#   "module_kernel",
#   "keyword_kernel",
#   "index_pointer_kernel",
#   "shape_kernel",
#   "stop_kernel",
# ]
# differs = """
# In the interpreter a call is Python's, and a plain function may be
# called."""
# ///

import math

import torch
import triton
import triton.language as tl

from ch09_debugging.reject_types import attempt

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernels]
def double(x):  # @triton.jit is missing
    return 2 * x


@triton.jit
def misspelt_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offset, x)


@triton.jit
def helper_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, double(tl.load(x_ptr + offsets)))


@triton.jit
def torch_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, torch.relu(x))


@triton.jit
def math_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, math.exp(x))


@triton.jit
def method_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, x.relu())


@triton.jit
def power_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, x**2)


@triton.jit
def module_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, tl.tanh(x))


@triton.jit
def keyword_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    n,  # elements of both
    BLOCK: tl.constexpr,  # lanes
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, masks=offsets < n)
    tl.store(out_ptr + offsets, x, mask=offsets < n)


@triton.jit
def index_pointer_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, x_ptr[offsets])


@triton.jit
def shape_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
):
    offsets = tl.arange(0, x_ptr.shape[0])
    tl.store(out_ptr + offsets, tl.load(x_ptr + offsets))


@triton.jit
def stop_kernel(
    out_ptr,  # address of one element
    n,  # stop where it is above 100
):
    if n > 100:
        breakpoint()
    tl.store(out_ptr, n)
# --8<-- [end:kernels]


# --8<-- [start:demo]
x = torch.ones(4, device=DEVICE)
out = torch.zeros(4, device=DEVICE)
one = (1,)

attempt("a misspelt name", lambda: misspelt_kernel[one](x, out, 4))
attempt("a plain function", lambda: helper_kernel[one](x, out, 4))
attempt("torch.relu(x)", lambda: torch_kernel[one](x, out, 4))
attempt("math.exp(x)", lambda: math_kernel[one](x, out, 4))
attempt("x.relu()", lambda: method_kernel[one](x, out, 4))
attempt("x**2", lambda: power_kernel[one](x, out, 4))
attempt("tl.tanh(x)", lambda: module_kernel[one](x, out, 4))
attempt("masks=", lambda: keyword_kernel[one](x, out, 4, 4))
attempt(
    "an indexed pointer",
    lambda: index_pointer_kernel[one](x, out, 4),
)
attempt("the shape of a pointer", lambda: shape_kernel[one](x, out))
attempt("breakpoint()", lambda: stop_kernel[one](out, 4))
# --8<-- [end:demo]
