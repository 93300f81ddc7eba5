"""Trap of 1.4: a comparison multiplied in, where a choice was
meant."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def two_relus_kernel(
    x_ptr,  # address of the input, n float32
    product_ptr,  # address of n float32: x times a comparison
    where_ptr,  # address of n float32: a choice
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(product_ptr + offsets, x * (x > 0), mask=mask)
    chosen = tl.where(x > 0, x, 0.0)
    tl.store(where_ptr + offsets, chosen, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:demo]
x = torch.tensor([-2.0, 3.0, float("-inf")], device=DEVICE)
product, where = torch.empty_like(x), torch.empty_like(x)
grid = (triton.cdiv(3, 4),)
two_relus_kernel[grid](x, product, where, 3, BLOCK=4)
print("x * (x > 0):", product.tolist())
print("the product has a NaN:", product.isnan().any().item())
print("tl.where(x > 0, x, 0.0):", where.tolist())
print("torch.relu:", torch.relu(x).tolist())
# --8<-- [end:demo]
