"""9.4: three messages in full: one with a reason, one with its reason
in the exception before it, and one with none."""

# /// capture
# runners = ["compiler"]
# no_gpu = "Compiling needs no GPU."
# ///

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor


# --8<-- [start:kernels]
@triton.jit
def three_kernel(
    out_ptr,  # address of one element
):
    tl.store(out_ptr, tl.sum(tl.zeros((3,), tl.float32), axis=0))


@triton.jit
def small_block_kernel(
    target,  # descriptor of 4 x 4 float32, in blocks of 4 x 4
):
    target.store([0, 0], tl.zeros((2, 4), tl.float32))
# --8<-- [end:kernels]


# --8<-- [start:columns]
@triton.jit
def columns_kernel(
    x_ptr,  # address of the first of some rows of BLOCK elements
    out_ptr,  # address of the sums of its columns
    rows,  # how many rows
    BLOCK: tl.constexpr,  # columns
):
    lanes = tl.arange(0, BLOCK)
    total = 0.0
    for row in range(rows):
        total += tl.load(x_ptr + row * BLOCK + lanes)
    tl.store(out_ptr + lanes, total)
# --8<-- [end:columns]


# --8<-- [start:demo]
def attempt(title, launch):
    print(f"== {title} ==")
    try:
        launch()
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
        while error := error.__cause__:
            lines = str(error).splitlines() or ["(no words)"]
            print(f"behind it, {type(error).__name__}: {lines[-1]}")


x, out = torch.zeros(2, 2, 4)
target = TensorDescriptor.from_tensor(torch.zeros(4, 4), [4, 4])
attempt("with a reason", lambda: columns_kernel[(1,)](x, out, 2, 4))
attempt("with a caret", lambda: three_kernel[(1,)](out))
attempt("without a word", lambda: small_block_kernel[(1,)](target))
# --8<-- [end:demo]
