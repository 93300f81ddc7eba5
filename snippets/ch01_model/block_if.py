"""Trap of 1.4: Python's if on a block of values."""

# /// capture
# rejects = ["abs_if_kernel"]
# differs = """
# The interpreter asks Python whether a block is true, and it
# always is; the compiler refuses the question."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def abs_if_kernel(
    x_ptr,  # address of the input, n float32
    out_ptr,  # address of the output, n float32
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    if x < 0:  # which of the BLOCK values is meant?
        x = -x
    tl.store(out_ptr + offsets, x, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:demo]
def attempt(title, values, block):
    print(f"== {title} ==")
    x = torch.tensor(values, device=DEVICE)
    out = torch.zeros_like(x)
    n = x.numel()
    grid = (triton.cdiv(n, block),)
    try:
        abs_if_kernel[grid](x, out, n, BLOCK=block)
        print("out:", out.tolist())
        print("right:", torch.equal(out, x.abs()))
    except Exception as error:
        print("raised:", type(error).__name__)
        print("message:", str(error).strip().splitlines()[-1])


attempt("all negative", [-1.0, -2.0, -3.0, -4.0], 4)
attempt("mixed", [-1.0, 2.0, -3.0, 4.0], 4)
attempt("all positive", [1.0, 2.0, 3.0, 4.0], 4)
attempt("mixed, BLOCK = 1", [-1.0, 2.0, -3.0, 4.0], 1)
# --8<-- [end:demo]
