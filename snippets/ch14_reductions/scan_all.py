"""14.5.6: prefix sums of a whole tensor, in three launches."""

import torch
import triton
import triton.language as tl

from ch14_reductions.cumsum_rows import cumsum_rows_kernel
from ch14_reductions.sum_all import check_floats, sum_parts_kernel
from ch14_reductions.sum_rows import DEVICE

BLOCK = 4096  # elements of a program in the first and third launch


# --8<-- [start:kernel]
@triton.jit
def scan_blocks_kernel(
    x_ptr,  # n floats, contiguous
    end_ptr,  # the sum up to the end of each block, float32
    out_ptr,  # n floats, contiguous
    n,  # elements of x
    BLOCK: tl.constexpr,  # elements of a program
):
    block = tl.program_id(0).to(tl.int64)
    place = block * BLOCK + tl.arange(0, BLOCK)
    mask = place < n
    before = tl.load(end_ptr + block - 1, mask=block > 0, other=0.0)
    x = tl.load(x_ptr + place, mask=mask, other=0.0).to(tl.float32)
    sums = before + tl.cumsum(x, axis=0)
    out = sums.to(out_ptr.dtype.element_ty)
    tl.store(out_ptr + place, out, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def scan_all(x, block=BLOCK, num_warps=8):
    """Prefix sums of all elements, in x's shape and dtype."""
    check_floats(x)
    n = x.numel()
    out = torch.empty_like(x)
    if n == 0:
        return out
    blocks = triton.cdiv(n, block)
    sums = torch.empty(blocks, dtype=torch.float32, device=x.device)
    ends = torch.empty_like(sums)
    sum_parts_kernel[(blocks,)](
        x, sums, n, block, BLOCK=block, EVICT="", num_warps=num_warps
    )
    cumsum_rows_kernel[(1,)](
        sums, ends, blocks, blocks, BLOCK=1024, num_warps=4
    )
    scan_blocks_kernel[(blocks,)](
        x, ends, out, n, BLOCK=block, num_warps=num_warps
    )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 14.5.6 eleven elements, blocks of four ==")
    # --8<-- [start:demo]
    x = torch.arange(1.0, 12.0, device=DEVICE)
    print(f"scan_all: {scan_all(x, block=4).int().tolist()}")
    print(f"torch: {x.cumsum(0).int().tolist()}")
    # --8<-- [end:demo]
