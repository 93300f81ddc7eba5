"""9.4, control flow: kernels that Python would run, and the
interpreter does. One program each, a lane for every element."""

# /// capture
# rejects = [
#   "break_kernel",
#   "lambda_kernel",
#   "dict_kernel",
#   "carried_kernel",
#   "branches_kernel",
#   "ternary_kernel",
#   "return_kernel",
#   "list_kernel",
#   "float_range_kernel",
#   "block_range_kernel",
#   "one_branch_kernel",
#   "member_kernel",
# ]
# differs = """
# The interpreter lets Python run the body; the compiler reads it, and
# knows a part of Python."""
# ///

import torch
import triton
import triton.language as tl

from ch09_debugging.reject_types import attempt

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernels]
@triton.jit
def break_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of one element: the first power above limit
    limit,  # where to stop
):
    power = tl.load(x_ptr)
    for _ in range(10):
        power *= 2
        if power > limit:
            break
    tl.store(out_ptr, power)


@triton.jit
def lambda_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    square = lambda v: v * v
    tl.store(out_ptr + offsets, square(tl.load(x_ptr + offsets)))


@triton.jit
def dict_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    scales = {"x": 2.0}
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, x * scales["x"])


@triton.jit
def carried_kernel(
    x_ptr,  # address of the input, float32
    out_ptr,  # address of one element: the sum
    n,  # elements of the input
):
    total = 0  # an integer
    for i in range(n):
        total += tl.load(x_ptr + i)
    tl.store(out_ptr, total)


@triton.jit
def branches_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    n,  # decides what is stored
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    if n > 3:
        y = x
    else:
        y = tl.sum(x, axis=0)
    tl.store(out_ptr + offsets, y)


@triton.jit
def ternary_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    n,  # decides what is stored
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    y = tl.load(x_ptr + offsets) if n > 3 else 0
    tl.store(out_ptr + offsets, y)


@triton.jit
def return_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    n,  # elements of both
):
    for i in range(n):
        x = tl.load(x_ptr + i)
        if x > 1.0:
            return
        tl.store(out_ptr + i, x)


@triton.jit
def list_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    for step in [1, 2, 4]:
        x += step
    tl.store(out_ptr + offsets, x)


@triton.jit
def float_range_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of one element
    n,  # elements of the input
):
    total = 0.0
    for i in range(0, n / 2):
        total += tl.load(x_ptr + i)
    tl.store(out_ptr, total)


@triton.jit
def block_range_kernel(
    lengths_ptr,  # address of one length for each lane
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    lengths = tl.load(lengths_ptr + offsets)
    count = tl.zeros((BLOCK,), tl.int32)
    for _ in range(0, lengths):
        count += 1
    tl.store(out_ptr + offsets, count)


@triton.jit
def one_branch_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    n,  # decides what is stored
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    if n > 3:
        y = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, y)


@triton.jit
def member_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    n,  # decides what is stored
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    if n in (4, 8):
        x += 1
    tl.store(out_ptr + offsets, x)
# --8<-- [end:kernels]


# --8<-- [start:demo]
x = torch.ones(4, device=DEVICE)
lengths = torch.ones(4, dtype=torch.int32, device=DEVICE)
out = torch.zeros(4, device=DEVICE)
one = (1,)

attempt("break", lambda: break_kernel[one](x, out, 100.0))
attempt("lambda", lambda: lambda_kernel[one](x, out, 4))
attempt("a dictionary", lambda: dict_kernel[one](x, out, 4))
attempt("0 becomes a float", lambda: carried_kernel[one](x, out, 4))
attempt("if, else", lambda: branches_kernel[one](x, out, 4, 4))
attempt("x if n else 0", lambda: ternary_kernel[one](x, out, 4, 4))
attempt("return in a loop", lambda: return_kernel[one](x, out, 4))
attempt("loop over a list", lambda: list_kernel[one](x, out, 4))
attempt("range(0, n / 2)", lambda: float_range_kernel[one](x, out, 4))
attempt(
    "range of a block",
    lambda: block_range_kernel[one](lengths, out, 4),
)
attempt(
    "y of one branch",
    lambda: one_branch_kernel[one](x, out, 4, 4),
)
attempt("n in (4, 8)", lambda: member_kernel[one](x, out, 4, 4))
# --8<-- [end:demo]
