"""Trap of 7.3: floats to integers, in and out of range."""

# /// capture
# differs = """Out of range NumPy gives the smallest integer; the GPU's
# instruction saturates, and makes NaN 0."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
@triton.jit
def to_int_kernel(
    x_ptr,  # address of the input, n float32
    out_ptr,  # address of the output, n int32
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(out_ptr + offsets, x.to(tl.int32), mask=mask)


numbers = ["1.7", "-1.7", "3e9", "-3e9", "inf", "nan"]
x = torch.tensor([float(v) for v in numbers], device=DEVICE)
out = torch.empty(6, dtype=torch.int32, device=DEVICE)
to_int_kernel[(triton.cdiv(6, 8),)](x, out, 6, BLOCK=8)
for name, result in zip(numbers, out.tolist()):
    print(f"{name}: {result}")
# --8<-- [end:trap]
