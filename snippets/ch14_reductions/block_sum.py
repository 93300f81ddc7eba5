"""14.1: the sum of each row, the whole row in one block."""

import torch
import triton
import triton.language as tl

from ch14_reductions.sum_rows import DEVICE, check_rows

MOST = 16384  # elements of a row that one block is to hold


# --8<-- [start:kernel]
@triton.jit
def block_sum_kernel(
    x_ptr,  # address of x[0, 0]; elements of a row lie side by side
    out_ptr,  # one float32 for each row
    cols,  # elements of a row, at most BLOCK
    x_row,  # elements from one row of x to the next
    BLOCK: tl.constexpr,  # lanes, a power of two
):
    row = tl.program_id(0).to(tl.int64)
    lane = tl.arange(0, BLOCK)
    place = row * x_row + lane
    x = tl.load(x_ptr + place, mask=lane < cols, other=0.0)
    tl.store(out_ptr + row, tl.sum(x.to(tl.float32), axis=0))
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def block_sum(x, block=None, num_warps=4):
    """The sum of each row in float32; rows of at most MOST."""
    check_rows(x)
    rows, cols = x.shape
    block = block or triton.next_power_of_2(max(cols, 1))
    if cols > block or block > MOST:
        raise ValueError(
            f"rows of {cols} elements, a block of {block}, "
            f"wanted at most {min(block, MOST)}"
        )
    out = torch.empty(rows, dtype=torch.float32, device=x.device)
    if rows > 0:
        block_sum_kernel[(rows,)](
            x, out, cols, x.stride(0), BLOCK=block,
            num_warps=num_warps,
        )  # fmt: skip
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 14.1.2 a row in one block ==")
    # --8<-- [start:demo]
    x = torch.arange(1.0, 16.0, device=DEVICE).reshape(3, 5)
    print(f"rows of 5: {block_sum(x).tolist()}")
    wide = torch.ones(2, 1000, device=DEVICE)
    print(f"a view, 3 of 1000: {block_sum(wide[:, :3]).tolist()}")
    print(f"1000 ones: {block_sum(wide)[0].item()}")
    try:
        block_sum(torch.ones(1, 100_000, device=DEVICE))
    except ValueError as error:
        print(f"ValueError: {error}")
    # --8<-- [end:demo]
