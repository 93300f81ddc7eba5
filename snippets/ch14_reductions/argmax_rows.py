"""14.5: the index of the largest element of every row."""

import torch
import triton
import triton.language as tl

from ch14_reductions.sum_rows import DEVICE, check_rows


# --8<-- [start:combine]
@triton.jit
def first_largest(a, i, b, j):
    """Of two (value, index) pairs the larger; NaN is the largest, and
    of equal ones the lower index counts."""
    a_nan = a != a
    b_nan = b != b
    larger = (a > b) | (a_nan & ~b_nan)
    same = (a == b) | (a_nan & b_nan)
    take_a = larger | (same & (i < j))
    return tl.where(take_a, a, b), tl.where(take_a, i, j)
# --8<-- [end:combine]


# --8<-- [start:kernel]
@triton.jit
def argmax_rows_kernel(
    x_ptr,  # address of x[0, 0]; elements of a row lie side by side
    out_ptr,  # one int64 for each row
    cols,  # elements of a row, at least 1
    x_row,  # elements from one row of x to the next
    BLOCK: tl.constexpr,  # lanes, each with a pair of its own
):
    row = tl.program_id(0).to(tl.int64)
    lane = tl.arange(0, BLOCK)
    best = tl.full((BLOCK,), float("-inf"), tl.float32)
    where = lane
    for start in range(0, cols, BLOCK):
        col = start + lane
        x = tl.load(
            x_ptr + row * x_row + col, mask=col < cols,
            other=float("-inf"), eviction_policy="evict_first",
        ).to(tl.float32)
        # A lane meets its columns in order: only a larger one counts,
        # or the first NaN.
        larger = (x > best) | ((x != x) & (best == best))
        best = tl.where(larger, x, best)
        where = tl.where(larger, col, where)
    _, index = tl.reduce((best, where), 0, first_largest)
    tl.store(out_ptr + row, index.to(tl.int64))
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def argmax_rows(x, block=512, num_warps=2):
    check_rows(x)
    rows, cols = x.shape
    if cols == 0:
        raise ValueError(f"rows of no elements: {tuple(x.shape)}")
    out = torch.empty(rows, dtype=torch.int64, device=x.device)
    if rows > 0:
        block = min(block, triton.next_power_of_2(cols))
        argmax_rows_kernel[(rows,)](
            x, out, cols, x.stride(0), BLOCK=block,
            num_warps=num_warps,
        )  # fmt: skip
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 14.5.1 argmax of rows, four lanes ==")
    # --8<-- [start:demo]
    nan, inf = float("nan"), float("inf")
    x = torch.tensor(
        [
            [0.0, 3, 1, 2, 0, 1, 3],  # equal ones
            [-inf, -inf, -inf, -inf, -inf, -inf, -inf],
            [1, 5, nan, 4, nan, 2, inf],
            [-7, -6, -5, -4, -3, -2, -1],
        ],
        device=DEVICE,
    )
    print(f"argmax_rows: {argmax_rows(x, block=4).tolist()}")
    print(f"torch: {x.argmax(1).tolist()}")
    # --8<-- [end:demo]
