"""Trap of 7.5: x * x - y * y for equal x and y."""

# /// capture
# differs = """Compiled, one of the two products goes unrounded into a
# fused multiply-add; interpreted, both are rounded alike."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 1000
BLOCK = 256


# --8<-- [start:trap]
@triton.jit
def square_difference_kernel(
    x_ptr,  # address of n float32
    y_ptr,  # address of n float32
    out_ptr,  # address of four rows of n float32
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    y = tl.load(y_ptr + offsets, mask=mask, other=0.0)
    squares = x * x - y * y
    root = tl.sqrt_rn(squares)
    factors = (x - y) * (x + y)
    product = x * y
    fused = tl.fma(x, y, -product)
    tl.store(out_ptr + offsets, squares, mask=mask)
    tl.store(out_ptr + n + offsets, root, mask=mask)
    tl.store(out_ptr + 2 * n + offsets, factors, mask=mask)
    tl.store(out_ptr + 3 * n + offsets, fused, mask=mask)


torch.manual_seed(0)
x = torch.randn(N).to(DEVICE)
grid = (triton.cdiv(N, BLOCK),)
for title, options in (
    ("as it is", {}),
    ("contraction forbidden", {"enable_fp_fusion": False}),
):
    out = torch.empty(4, N, device=DEVICE)
    square_difference_kernel[grid](
        x, x.clone(), out, N, BLOCK=BLOCK, **options
    )
    squares, root, factors, fused = out
    print(f"== {title} ==")
    print(f"x*x - y*y not zero: {(squares != 0).sum().item()}")
    print(f"x*x - y*y negative: {(squares < 0).sum().item()}")
    print(f"sqrt of it NaN: {root.isnan().sum().item()}")
    print(f"(x-y) * (x+y) not zero: {(factors != 0).sum().item()}")
    print(f"fma(x, y, -x*y) not zero: {(fused != 0).sum().item()}")
# --8<-- [end:trap]
