"""Trap of 7.1: half precision times a float argument."""

# /// capture
# differs = """Interpreted, the product with the argument is made in
# float16; compiled, in float32."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
@triton.jit
def times_kernel(
    x_ptr,  # address of the input, n float16
    as_it_is_ptr,  # address of n float32: factor times x
    widened_ptr,  # address of n float32: the same, x widened first
    factor,  # a float
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(as_it_is_ptr + offsets, factor * x, mask=mask)
    wide = x.to(tl.float32)
    tl.store(widened_ptr + offsets, factor * wide, mask=mask)


x = torch.tensor([1.0, 1000.0, 60000.0], device=DEVICE).half()
for factor in (0.1, 2.0):
    as_it_is = torch.empty(3, device=DEVICE)
    widened = torch.empty(3, device=DEVICE)
    grid = (triton.cdiv(3, 4),)
    times_kernel[grid](x, as_it_is, widened, factor, 3, BLOCK=4)
    for name, out in (("x", as_it_is), ("x, widened", widened)):
        shown = [f"{v:.5g}" for v in out.tolist()]
        print(f"{factor} * {name}: {', '.join(shown)}")
# --8<-- [end:trap]
