"""The first program: which mode am I in, and does a kernel run here?
On a laptop: TRITON_INTERPRET=1 python FILE.py"""

# /// capture
# differs = """
# One decorator, two modes: with TRITON_INTERPRET=1 it wraps
# the function for Python, without it for the compiler."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def add_one_kernel(
    x_ptr,  # address of the input, n float32
    out_ptr,  # address of the output, n float32
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + 1.0, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:demo]
x = torch.tensor([10.0, 20.0, 30.0, 40.0, 50.0], device=DEVICE)
out = torch.empty_like(x)
grid = (triton.cdiv(5, 4),)  # two programs of four lanes
handle = add_one_kernel[grid](x, out, 5, BLOCK=4)
print("out:", out.tolist())
print("the tensors are on:", DEVICE)
print("triton.jit made a:", type(add_one_kernel).__name__)
print("the launch returned a:", type(handle).__name__)
# --8<-- [end:demo]
