"""14.5: logsumexp of every row, as a reduction with two numbers."""

import torch
import triton
import triton.language as tl

from ch14_reductions.sum_rows import DEVICE, check_rows


# --8<-- [start:combine]
@triton.jit
def add_logs(m, s, n, t):
    """Of exp(m) * s and exp(n) * t the sum, in the same form."""
    smaller = tl.where(m == n, 1.0, tl.exp(-tl.abs(m - n)))
    total = tl.where(m > n, s + t * smaller, s * smaller + t)
    return tl.maximum(m, n), total
# --8<-- [end:combine]


# --8<-- [start:kernel]
@triton.jit
def logsumexp_rows_kernel(
    x_ptr,  # address of x[0, 0]; elements of a row lie side by side
    out_ptr,  # one float32 for each row
    cols,  # elements of a row
    x_row,  # elements from one row of x to the next
    BLOCK: tl.constexpr,  # lanes, each with a pair of its own
):
    row = tl.program_id(0).to(tl.int64)
    lane = tl.arange(0, BLOCK)
    top = tl.full((BLOCK,), float("-inf"), tl.float32)
    total = tl.zeros((BLOCK,), tl.float32)
    for start in range(0, cols, BLOCK):
        col = start + lane
        x = tl.load(
            x_ptr + row * x_row + col, mask=col < cols,
            other=float("-inf"), eviction_policy="evict_first",
        ).to(tl.float32)
        top, total = add_logs(top, total, x, 1.0)
    top, total = tl.reduce((top, total), 0, add_logs)
    total = tl.where(total == 0.0, 1.0, total)  # a row of -inf
    tl.store(out_ptr + row, top + tl.log(total))
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def logsumexp_rows(x, block=512, num_warps=2):
    """log(sum(exp(x))) of each row, in float32."""
    check_rows(x)
    rows, cols = x.shape
    out = torch.empty(rows, dtype=torch.float32, device=x.device)
    if rows > 0:
        block = min(block, triton.next_power_of_2(max(cols, 1)))
        logsumexp_rows_kernel[(rows,)](
            x, out, cols, x.stride(0), BLOCK=block,
            num_warps=num_warps,
        )  # fmt: skip
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 14.5.3 logsumexp of rows ==")
    # --8<-- [start:demo]
    inf = float("inf")
    x = torch.tensor(
        [[1000.0, 1000, 998, 0, -inf], [-inf] * 5], device=DEVICE
    )
    plain = x.exp().sum(1).log()
    mine = logsumexp_rows(x, block=4)
    print(f"log of a sum of exp: {plain.tolist()}")
    print(f"logsumexp_rows: {[round(v, 4) for v in mine.tolist()]}")
    theirs = torch.logsumexp(x, 1)
    print(f"torch: {[round(v, 4) for v in theirs.tolist()]}")
    # --8<-- [end:demo]
