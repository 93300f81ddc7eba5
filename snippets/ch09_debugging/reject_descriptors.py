"""9.4, descriptors: blocks of a tensor descriptor, used wrongly. Each
descriptor is of a matrix of 4 x 4 float32, with blocks of 4 x 4."""

# /// capture
# rejects = [
#   "one_offset_kernel",
#   "masked_block_kernel",
#   "load_descriptor_kernel",
#   "narrow_kernel",
#   "column_kernel",
#   "ranks_kernel",
# ]
# differs = "The checks are the same, the name of the exception is not."
# ///

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from ch09_debugging.reject_types import attempt

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernels]
@triton.jit
def one_offset_kernel(
    source,  # descriptor of the input
    target,  # descriptor of the output
):
    target.store([0, 0], source.load([0]))


@triton.jit
def masked_block_kernel(
    source,  # descriptor of the input
    target,  # descriptor of the output
):
    target.store([0, 0], source.load([0, 0], mask=True))


@triton.jit
def load_descriptor_kernel(
    source,  # descriptor of the input
    target,  # descriptor of the output
):
    target.store([0, 0], tl.load(source))


@triton.jit
def narrow_kernel(
    x_ptr,  # address of 4 x 4 float32
    target,  # descriptor of the output
):
    source = tl.make_tensor_descriptor(x_ptr, [4, 4], [4, 1], [4, 2])
    target.store([0, 0], source.load([0, 0]))


@triton.jit
def column_kernel(
    x_ptr,  # address of 4 x 4 float32
    target,  # descriptor of the output
):
    source = tl.make_tensor_descriptor(x_ptr, [4, 4], [1, 4], [4, 4])
    target.store([0, 0], source.load([0, 0]))


@triton.jit
def ranks_kernel(
    x_ptr,  # address of 4 x 4 float32
    target,  # descriptor of the output
):
    source = tl.make_tensor_descriptor(x_ptr, [4, 4], [1], [4, 4])
    target.store([0, 0], source.load([0, 0]))
# --8<-- [end:kernels]


# --8<-- [start:demo]
x = torch.ones(4, 4, device=DEVICE)
source = TensorDescriptor.from_tensor(x, [4, 4])
target = TensorDescriptor.from_tensor(torch.zeros_like(x), [4, 4])
one = (1,)

attempt("one offset", lambda: one_offset_kernel[one](source, target))
attempt("a mask", lambda: masked_block_kernel[one](source, target))
attempt(
    "tl.load of a descriptor",
    lambda: load_descriptor_kernel[one](source, target),
)
attempt("8 bytes in a row", lambda: narrow_kernel[one](x, target))
attempt("a column", lambda: column_kernel[one](x, target))
attempt("one stride", lambda: ranks_kernel[one](x, target))
# --8<-- [end:demo]
