"""14.5: prefix sums of every row, of any length."""

import torch
import triton
import triton.language as tl

from ch14_reductions.sum_rows import DEVICE, check_rows


# --8<-- [start:kernel]
@triton.jit
def cumsum_rows_kernel(
    x_ptr,  # address of x[0, 0]; elements of a row lie side by side
    out_ptr,  # address of out[0, 0], contiguous
    cols,  # elements of a row
    x_row,  # elements from one row of x to the next
    BLOCK: tl.constexpr,  # elements scanned at a time
):
    row = tl.program_id(0).to(tl.int64)
    lane = tl.arange(0, BLOCK)
    before = 0.0  # the sum of all blocks so far
    for start in range(0, cols, BLOCK):
        col = start + lane
        mask = col < cols
        x = tl.load(x_ptr + row * x_row + col, mask=mask, other=0.0)
        x = x.to(tl.float32)
        sums = before + tl.cumsum(x, axis=0)
        out = sums.to(out_ptr.dtype.element_ty)
        tl.store(out_ptr + row * cols + col, out, mask=mask)
        before += tl.sum(x, axis=0)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def cumsum_rows(x, block=2048, num_warps=4):
    """Prefix sums along rows, in x's dtype, added in float32."""
    check_rows(x)
    rows, cols = x.shape
    out = torch.empty(rows, cols, dtype=x.dtype, device=x.device)
    if out.numel() > 0:
        block = min(block, triton.next_power_of_2(cols))
        cumsum_rows_kernel[(rows,)](
            x, out, cols, x.stride(0), BLOCK=block,
            num_warps=num_warps,
        )  # fmt: skip
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 14.5.4 prefix sums of rows, four lanes ==")
    # --8<-- [start:demo]
    x = torch.arange(1.0, 11.0, device=DEVICE)
    x = torch.stack([x, torch.ones_like(x)])
    first, second = cumsum_rows(x, block=4).int().tolist()
    print(f"of 1 to 10: {first}")
    print(f"of ten ones: {second}")
    # --8<-- [end:demo]
