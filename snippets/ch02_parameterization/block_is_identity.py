"""Trap of 2.1: a kernel whose answer depends on BLOCK. A prefix sum
inside each block is the prefix sum of the tensor for one BLOCK only."""

import torch
import triton
import triton.language as tl

from ch02_parameterization.constexpr_shape import check_vector

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def block_prefix_kernel(
    x_ptr,  # input, n floats, contiguous
    out_ptr,  # output, n floats, contiguous
    n,  # number of elements
    BLOCK: tl.constexpr,  # lanes of one program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    sums = tl.cumsum(x.to(tl.float32), axis=0)
    tl.store(out_ptr + offsets, sums, mask=mask)
# --8<-- [end:kernel]


def block_prefix(x, block):
    """Prefix sums that start again at every block."""
    check_vector(x)
    out = torch.empty_like(x)
    n = x.numel()
    if n == 0:
        return out
    grid = (triton.cdiv(n, block),)
    block_prefix_kernel[grid](x, out, n, BLOCK=block)
    return out


if __name__ == "__main__":
    print("== prefix sums of eight ones ==")
    # --8<-- [start:demo]
    ones = torch.ones(8, device=DEVICE)
    for block in [16, 8, 4, 2]:
        out = block_prefix(ones, block)
        print(f"BLOCK {block}:", out.int().tolist())
    print("torch.cumsum:", ones.cumsum(0).int().tolist())
    # --8<-- [end:demo]
