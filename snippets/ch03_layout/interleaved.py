"""Trap of 3.3: programs that take turns, as threads would in CUDA."""

import torch
import triton
import triton.language as tl

from ch03_layout.views import copy_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024


# --8<-- [start:kernel]
@triton.jit
def interleaved_copy_kernel(
    x_ptr,  # address of x[0]
    out_ptr,  # address of out[0], of the same dtype
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program
):
    lanes = tl.arange(0, BLOCK).to(tl.int64)
    offsets = tl.program_id(0) + lanes * tl.num_programs(0)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def copy_with(kernel, x, block=BLOCK):
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    if not x.is_contiguous():
        raise ValueError(
            f"x must be contiguous: shape {tuple(x.shape)}, "
            f"strides {x.stride()}"
        )
    out = torch.empty_like(x)
    n = x.numel()
    if n == 0:
        return out
    grid = (triton.cdiv(n, block),)
    kernel[grid](x, out, n, BLOCK=block)
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    # --8<-- [start:demo]
    x = torch.randn(4096).to(DEVICE)
    for kernel in (copy_kernel, interleaved_copy_kernel):
        same = torch.equal(copy_with(kernel, x), x)
        print(f"{kernel.fn.__name__} right: {same}")
    # --8<-- [end:demo]
