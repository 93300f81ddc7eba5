"""9.4, shapes: launches that fail because a block has the wrong shape.
One program each, with a lane for every element: no mask is needed."""

# /// capture
# rejects = [
#   "three_lanes_kernel",
#   "backwards_kernel",
#   "reshape_kernel",
#   "broadcast_kernel",
#   "element_kernel",
#   "set_element_kernel",
#   "block_to_one_kernel",
#   "mask_of_one_kernel",
#   "length_kernel",
#   "transpose_kernel",
# ]
# differs = """
# Most checks are the same. Where a block is treated as a list, Python
# answers in the interpreter."""
# ///

import torch
import triton
import triton.language as tl

from ch09_debugging.reject_types import attempt

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernels]
@triton.jit
def three_lanes_kernel(
    out_ptr,  # address of three elements
):
    offsets = tl.arange(0, 3)
    tl.store(out_ptr + offsets, offsets)


@triton.jit
def backwards_kernel(
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # its elements
):
    offsets = tl.arange(BLOCK, 0)  # to count down
    tl.store(out_ptr + offsets, offsets)


@triton.jit
def reshape_kernel(
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # its elements
):
    offsets = tl.arange(0, BLOCK)
    wide = tl.reshape(offsets, (2, BLOCK))
    tl.store(out_ptr + wide, wide)


@triton.jit
def broadcast_kernel(
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # its elements
):
    offsets = tl.arange(0, BLOCK)
    twice = tl.broadcast_to(offsets, (2 * BLOCK,))
    tl.store(out_ptr + twice, twice)


@triton.jit
def element_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of one element: the first
    BLOCK: tl.constexpr,  # elements of the input
):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.store(out_ptr, x[0])


@triton.jit
def set_element_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output: the first element becomes 0
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    x[0] = 0.0
    tl.store(out_ptr + offsets, x)


@triton.jit
def block_to_one_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output; its offsets were forgotten
    BLOCK: tl.constexpr,  # elements of both
):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.store(out_ptr, x)


@triton.jit
def mask_of_one_kernel(
    scale_ptr,  # address of one element
    out_ptr,  # address of the output
    n,  # its elements
    BLOCK: tl.constexpr,  # lanes
):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    scale = tl.load(scale_ptr, mask=mask)
    tl.store(out_ptr + offsets, scale, mask=mask)


@triton.jit
def length_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of one element: the mean
    BLOCK: tl.constexpr,  # elements of the input
):
    x = tl.load(x_ptr + tl.arange(0, BLOCK))
    tl.store(out_ptr, tl.sum(x, axis=0) / len(x))


@triton.jit
def transpose_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    column = tl.trans(tl.load(x_ptr + offsets))
    tl.store(out_ptr + offsets, column)
# --8<-- [end:kernels]


# --8<-- [start:demo]
x = torch.arange(4.0, device=DEVICE)
out = torch.zeros(8, device=DEVICE)
one = (1,)

attempt("arange of 3", lambda: three_lanes_kernel[one](out))
attempt("arange backwards", lambda: backwards_kernel[one](out, 4))
attempt("reshape", lambda: reshape_kernel[one](out, 4))
attempt("broadcast", lambda: broadcast_kernel[one](out, 4))
attempt("one element", lambda: element_kernel[one](x, out, 4))
attempt("set one element", lambda: set_element_kernel[one](x, out, 4))
attempt("block to one", lambda: block_to_one_kernel[one](x, out, 4))
attempt("mask of one", lambda: mask_of_one_kernel[one](x, out, 4, 4))
attempt("len(x)", lambda: length_kernel[one](x, out, 4))
attempt("trans of a line", lambda: transpose_kernel[one](x, out, 4))
# --8<-- [end:demo]
