"""15.2: softmax of a long row in three reads."""

# /// capture
# [labels]
# "* max abs diff" = { kind = "bound", limit = 1e-6 }
# ///

import torch
import triton
import triton.language as tl

from ch15_softmax.online import EACH, LANES, WARPS, safe
from ch15_softmax.rows import as_rows, sums_in
from ch15_softmax.softmax import NO_SCORE

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def softmax_three_kernel(
    x_ptr,  # address of x[0, 0], a float of any width
    out_ptr,  # address of out[0, 0], of the same dtype
    cols,  # how many columns both have
    x_row,  # from a row of x to the next, in elements
    out_row,  # the same for out
    BLOCK: tl.constexpr,  # elements taken at a time
    ACC: tl.constexpr,  # the type of maximum and sum
):
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * x_row
    out_ptr += row * out_row
    lanes = tl.arange(0, BLOCK)
    largest = tl.full((BLOCK,), NO_SCORE, ACC)
    for first in range(0, cols, BLOCK):
        col = first + lanes
        x = tl.load(
            x_ptr + col, mask=col < cols, other=NO_SCORE,
            eviction_policy="evict_last",
        )  # fmt: skip
        largest = tl.maximum(largest, x.to(ACC))
    final = safe(tl.max(largest, axis=0))
    total = tl.zeros((BLOCK,), ACC)
    for first in range(0, cols, BLOCK):
        col = first + lanes
        x = tl.load(
            x_ptr + col, mask=col < cols, other=NO_SCORE,
            eviction_policy="evict_last",
        )  # fmt: skip
        total += tl.exp(x.to(ACC) - final)
    total = tl.sum(total, axis=0)
    scale = 1.0 / tl.where(total == 0.0, 1.0, total)
    for first in range(0, cols, BLOCK):
        col = first + lanes
        x = tl.load(
            x_ptr + col, mask=col < cols, other=NO_SCORE,
            eviction_policy="evict_first",
        )  # fmt: skip
        y = tl.exp(x.to(ACC) - final) * scale
        tl.store(
            out_ptr + col, y, mask=col < cols,
            eviction_policy="evict_first",
        )  # fmt: skip
# --8<-- [end:kernel]


def softmax_three(x, block=LANES * EACH, warps=WARPS):
    """Softmax along the last dimension, in three reads."""
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if x.numel() == 0:
        return out
    x, y = as_rows("x", x), as_rows("out", out)
    rows, cols = x.shape
    softmax_three_kernel[(rows,)](
        x, y, cols, x.stride(0), y.stride(0), BLOCK=block,
        ACC=sums_in(x), num_warps=warps,
    )  # fmt: skip
    return out


if __name__ == "__main__":
    # --8<-- [start:demo]
    torch.manual_seed(0)
    x = torch.randn(3, 1000).to(DEVICE)
    y = softmax_three(x, block=128, warps=4)
    truth = torch.softmax(x.double(), 1)
    worst = (y.double() - truth).abs().max().item()
    print(f"three reads max abs diff: {worst:.1e}")
    # --8<-- [end:demo]
