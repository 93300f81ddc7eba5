"""9.4, dots: operands that tl.dot does not take. The results are
stored into a block of 16 x 16 float32."""

# /// capture
# rejects = ["dot_kernel", "line_dot_kernel", "precise_dot_kernel"]
# differs = "The checks are the same, the name of the exception is not."
# ///

import torch
import triton
import triton.language as tl

from ch09_debugging.reject_types import attempt

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernels]
@triton.jit
def dot_kernel(
    out_ptr,  # address of 16 x 16 float32
    K_A: tl.constexpr,  # columns of a
    K_B: tl.constexpr,  # rows of b
    A: tl.constexpr,  # dtype of a
    B: tl.constexpr,  # dtype of b
    ACC: tl.constexpr,  # columns of the accumulator
    OUT: tl.constexpr,  # dtype of the result
):
    a = tl.zeros((16, K_A), A)
    b = tl.zeros((K_B, 16), B)
    acc = tl.zeros((16, ACC), OUT)
    c = tl.dot(a, b, acc=acc, out_dtype=OUT)
    lanes = tl.arange(0, 16)
    tl.store(out_ptr + lanes[:, None] * 16 + lanes[None, :], c)


@triton.jit
def line_dot_kernel(
    out_ptr,  # address of one float32
):
    a = tl.zeros((16,), tl.float16)
    tl.store(out_ptr, tl.dot(a, a))


@triton.jit
def precise_dot_kernel(
    out_ptr,  # address of 16 x 16 float32
):
    a = tl.zeros((16, 16), tl.float32)
    c = tl.dot(a, a, input_precision="float64")
    lanes = tl.arange(0, 16)
    tl.store(out_ptr + lanes[:, None] * 16 + lanes[None, :], c)
# --8<-- [end:kernels]


# --8<-- [start:demo]
out = torch.zeros(16, 16, device=DEVICE)
HALF, FLOAT, INT = tl.float16, tl.float32, tl.int32


def dot(k_a=16, k_b=16, a=HALF, b=HALF, acc=16, out_dtype=FLOAT):
    dot_kernel[(1,)](out, k_a, k_b, a, b, acc, out_dtype)


attempt("16 x 32 by 16 x 16", lambda: dot(k_a=32))
attempt("float16 by float32", lambda: dot(b=FLOAT))
attempt("int32 by int32", lambda: dot(a=INT, b=INT))
attempt("accumulator of 16 x 32", lambda: dot(acc=32))
attempt("result in bfloat16", lambda: dot(out_dtype=tl.bfloat16))
attempt("two lines", lambda: line_dot_kernel[(1,)](out))
attempt("input_precision", lambda: precise_dot_kernel[(1,)](out))
# --8<-- [end:demo]
