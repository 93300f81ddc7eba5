"""14.2: the same row sums with a whole tree in every turn."""

import torch
import triton
import triton.language as tl

from ch14_reductions.sum_rows import DEVICE, check_rows


# --8<-- [start:kernel]
@triton.jit
def tree_each_turn_kernel(
    x_ptr,  # address of x[0, 0]; elements of a row lie side by side
    out_ptr,  # one float32 for each row
    cols,  # elements of a row
    x_row,  # elements from one row of x to the next
    BLOCK: tl.constexpr,  # elements added in one turn
):
    row = tl.program_id(0).to(tl.int64)
    lane = tl.arange(0, BLOCK)
    total = 0.0
    for start in range(0, cols, BLOCK):
        col = start + lane
        place = row * x_row + col
        x = tl.load(x_ptr + place, mask=col < cols, other=0.0)
        total += tl.sum(x.to(tl.float32), axis=0)
    tl.store(out_ptr + row, total)
# --8<-- [end:kernel]


def tree_each_turn(x, block=1024, num_warps=4):
    check_rows(x)
    rows, cols = x.shape
    out = torch.empty(rows, dtype=torch.float32, device=x.device)
    if rows > 0:
        tree_each_turn_kernel[(rows,)](
            x, out, cols, x.stride(0), BLOCK=block,
            num_warps=num_warps,
        )  # fmt: skip
    return out


if __name__ == "__main__":
    print("== 14.2 a tree in every turn ==")
    x = torch.arange(1.0, 21.0, device=DEVICE).reshape(2, 10)
    print(f"rows of 10: {tree_each_turn(x, 4).tolist()}")
