"""Trap of 7.6: choose first and divide later, or the reverse."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
@triton.jit
def root_backward_kernel(
    x_ptr,  # address of the input of the forward, n float32
    grad_ptr,  # address of the gradient of its output, n float32
    early_ptr,  # address of n float32: zeroed, then divided
    late_ptr,  # address of n float32: divided, then chosen
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    grad = tl.load(grad_ptr + offsets, mask=mask, other=0.0)
    slope = 0.5 / tl.sqrt_rn(x)
    early = tl.where(x > 0, grad, 0.0) * slope
    late = tl.where(x > 0, grad * slope, 0.0)
    tl.store(early_ptr + offsets, early, mask=mask)
    tl.store(late_ptr + offsets, late, mask=mask)


# the forward: sqrt(x) where x > 0, else 0
x = torch.tensor([4.0, 0.0, -1.0], device=DEVICE)
grad = torch.ones_like(x)
early, late = torch.empty_like(x), torch.empty_like(x)
grid = (triton.cdiv(3, 4),)
root_backward_kernel[grid](x, grad, early, late, 3, BLOCK=4)
print(f"zeroed, then divided: {early.tolist()}")
print(f"divided, then chosen: {late.tolist()}")
x.requires_grad_()
torch.where(x > 0, x.sqrt(), 0.0).sum().backward()
print(f"torch's gradient: {x.grad.tolist()}")
# --8<-- [end:trap]
