"""14.5: mean and variance of every row in one pass, by Welford."""

import torch
import triton
import triton.language as tl

from ch14_reductions.sum_rows import DEVICE, check_rows


# --8<-- [start:combine]
@triton.jit
def merge(mean, m2, count, mean_b, m2_b, count_b):
    """Two groups as one: mean, squared deviations, how many."""
    both = count + count_b
    share = tl.where(both > 0.0, count_b / tl.maximum(both, 1.0), 0.0)
    delta = mean_b - mean
    mean += delta * share
    m2 += m2_b + delta * delta * count * share
    return mean, m2, both
# --8<-- [end:combine]


# --8<-- [start:kernel]
@triton.jit
def welford_rows_kernel(
    x_ptr,  # address of x[0, 0]; elements of a row lie side by side
    mean_ptr,  # one float32 for each row
    var_ptr,  # one float32 for each row
    cols,  # elements of a row, at least 1
    x_row,  # elements from one row of x to the next
    BLOCK: tl.constexpr,  # lanes, each with a group of its own
):
    row = tl.program_id(0).to(tl.int64)
    lane = tl.arange(0, BLOCK)
    mean = tl.zeros((BLOCK,), tl.float32)
    m2 = tl.zeros((BLOCK,), tl.float32)
    turn = 0.0
    for start in range(0, cols, BLOCK):
        col = start + lane
        mask = col < cols
        x = tl.load(
            x_ptr + row * x_row + col, mask=mask, other=0.0,
            eviction_policy="evict_first",
        ).to(tl.float32)
        turn += 1.0
        delta = tl.where(mask, x - mean, 0.0)
        mean += delta * (1.0 / turn)
        m2 += delta * (x - mean)
    count = tl.maximum(tl.cdiv(cols - lane, BLOCK), 0).to(tl.float32)
    mean, m2, count = tl.reduce((mean, m2, count), 0, merge)
    tl.store(mean_ptr + row, mean)
    tl.store(var_ptr + row, m2 / count)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def welford_rows(x, block=512, num_warps=2):
    """Mean and (biased) variance of each row, in float32."""
    check_rows(x)
    rows, cols = x.shape
    if cols == 0:
        raise ValueError(f"rows of no elements: {tuple(x.shape)}")
    mean = torch.empty(rows, dtype=torch.float32, device=x.device)
    var = torch.empty_like(mean)
    if rows > 0:
        block = min(block, triton.next_power_of_2(cols))
        welford_rows_kernel[(rows,)](
            x, mean, var, cols, x.stride(0), BLOCK=block,
            num_warps=num_warps,
        )  # fmt: skip
    return mean, var
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 14.5.2 mean and variance in one pass ==")
    # --8<-- [start:demo]
    x = torch.tensor([[2.0, 4, 4, 4, 5, 5, 7, 9]], device=DEVICE)
    for offset in (0.0, 1e4, 1e6):
        row = x + offset
        mean, var = welford_rows(row, block=4)
        naive = (row * row).mean(1) - row.mean(1) ** 2
        print(f"offset {offset:.0f}, mean: {mean.item():.3f}")
        print(f"offset {offset:.0f}, Welford: {var.item():.3f}")
        print(f"offset {offset:.0f}, naive: {naive.item():.3f}")
    # --8<-- [end:demo]
