"""9.4, constants: values that the compiler has to know, and text."""

# /// capture
# rejects = [
#   "unroll_kernel",
#   "again_kernel",
#   "assert_n_kernel",
#   "axis_three_kernel",
#   "print_block_kernel",
#   "f_string_kernel",
#   "cache_kernel",
# ]
# differs = """
# In the interpreter every value is known, and a string is Python's."""
# ///

import torch
import triton
import triton.language as tl

from ch09_debugging.reject_types import attempt

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernels]
@triton.jit
def unroll_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of one element: the sum
    n,  # elements of the input, known at run time
):
    total = 0.0
    for i in tl.static_range(n):
        total += tl.load(x_ptr + i)
    tl.store(out_ptr, total)


@triton.jit
def again_kernel(
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # a quarter of it is written
):
    part: tl.constexpr = BLOCK // 2
    part: tl.constexpr = part // 2
    tl.store(out_ptr + tl.arange(0, part), 1.0)


@triton.jit
def assert_n_kernel(
    out_ptr,  # address of one element
    n,  # known at run time
):
    tl.static_assert(n > 0)
    tl.store(out_ptr, n)


@triton.jit
def axis_three_kernel(
    out_ptr,  # address of one element
):
    tl.store(out_ptr, tl.program_id(3))


@triton.jit
def print_block_kernel(
    BLOCK: tl.constexpr,  # lanes
):
    print(tl.arange(0, BLOCK))


@triton.jit
def f_string_kernel(
    BLOCK: tl.constexpr,  # lanes
):
    print(f"offsets: {tl.arange(0, BLOCK)}")


@triton.jit
def cache_kernel(
    x_ptr,  # address of one element
    out_ptr,  # address of its copy
):
    tl.store(out_ptr, tl.load(x_ptr, cache_modifier=".l2"))
# --8<-- [end:kernels]


# --8<-- [start:demo]
x = torch.ones(4, device=DEVICE)
out = torch.zeros(4, device=DEVICE)
one = (1,)

attempt("static_range(n)", lambda: unroll_kernel[one](x, out, 4))
attempt("a constant twice", lambda: again_kernel[one](out, 4))
attempt("static_assert(n)", lambda: assert_n_kernel[one](out, 4))
attempt("program_id(3)", lambda: axis_three_kernel[one](out))
attempt("print(block)", lambda: print_block_kernel[one](4))
attempt("print of an f-string", lambda: f_string_kernel[one](4))
attempt("cache_modifier", lambda: cache_kernel[one](x, out))
# --8<-- [end:demo]
