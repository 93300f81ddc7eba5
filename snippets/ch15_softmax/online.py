"""15.2.1: softmax of rows of any length, in two reads."""

# /// capture
# [labels]
# "* max abs diff" = { kind = "bound", limit = 1e-2 }
# "gradient, relative diff" = { kind = "bound", limit = 1e-5 }
# ///

import torch
import triton
import triton.language as tl
from torch.autograd.function import once_differentiable

from ch15_softmax.rows import LIMIT, as_rows, sums_in
from ch15_softmax.softmax import NO_SCORE, softmax_backward
from ch15_softmax.softmax import softmax_rows

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LANES, EACH, WARPS = 1024, 8, 32


# --8<-- [start:kernel]
@triton.jit
def safe(largest):
    """What to subtract: 0 where there was no score yet."""
    return tl.where(largest == NO_SCORE, 0.0, largest)


@triton.jit
def softmax_online_kernel(
    x_ptr,  # address of x[0, 0], a float of any width
    out_ptr,  # address of out[0, 0], of the same dtype
    cols,  # how many columns both have
    x_row,  # from a row of x to the next, in elements
    out_row,  # the same for out
    LANES: tl.constexpr,  # lanes, each with a maximum and a sum
    EACH: tl.constexpr,  # neighbours that a lane takes at a time
    HINTS: tl.constexpr,  # tell the caches what comes again
    ACC: tl.constexpr,  # the type of maximum and sum
):
    again: tl.constexpr = "evict_last" if HINTS else ""
    never: tl.constexpr = "evict_first" if HINTS else ""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * x_row
    out_ptr += row * out_row
    place = tl.arange(0, LANES)[:, None] * EACH
    place += tl.arange(0, EACH)[None, :]
    turns = tl.cdiv(cols, LANES * EACH)
    largest = tl.full((LANES,), NO_SCORE, ACC)
    total = tl.zeros((LANES,), ACC)
    for turn in range(turns):
        col = turn * (LANES * EACH) + place
        x = tl.load(
            x_ptr + col, mask=col < cols, other=NO_SCORE,
            eviction_policy=again,
        )  # fmt: skip
        x = x.to(ACC)
        new = tl.maximum(largest, tl.max(x, axis=1))
        e = tl.exp(x - safe(new)[:, None])
        total *= tl.exp(largest - safe(new))  # to the new maximum
        total += tl.sum(e, axis=1)
        largest = new
    # one pair for the row, out of LANES
    final = safe(tl.max(largest, axis=0))
    total = tl.sum(total * tl.exp(largest - final), axis=0)
    scale = 1.0 / tl.where(total == 0.0, 1.0, total)
    for turn in range(turns):
        col = turn * (LANES * EACH) + place
        x = tl.load(
            x_ptr + col, mask=col < cols, other=NO_SCORE,
            eviction_policy=never,
        )  # fmt: skip
        y = tl.exp(x.to(ACC) - final) * scale
        tl.store(
            out_ptr + col, y, mask=col < cols, eviction_policy=never
        )
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def softmax_online(
    x, lanes=LANES, each=EACH, warps=WARPS, hints=True
):
    """Softmax along the last dimension, of any length.
    A row of nothing but -inf becomes zeros, not NaN."""
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if x.numel() == 0:
        return out
    x, y = as_rows("x", x), as_rows("out", out)
    rows, cols = x.shape
    softmax_online_kernel[(rows,)](
        x, y, cols, x.stride(0), y.stride(0), LANES=lanes, EACH=each,
        HINTS=hints, ACC=sums_in(x), num_warps=warps,
    )  # fmt: skip
    return out


def softmax_any(x: torch.Tensor) -> torch.Tensor:
    """Softmax along the last dimension: in one block, or online."""
    if x.shape[-1] <= LIMIT:
        return softmax_rows(x)
    return softmax_online(x)
# --8<-- [end:wrapper]


# --8<-- [start:backward]
@triton.jit
def softmax_online_backward_kernel(
    grad_ptr,  # address of the gradient of the output
    y_ptr,  # address of the output
    dx_ptr,  # address of the gradient of x, the result
    cols,  # how many columns all three have
    grad_row,  # from a row of grad to the next, 0 if expanded
    y_row,  # the same for y
    dx_row,  # the same for dx
    BLOCK: tl.constexpr,  # lanes, each with a sum
    ACC: tl.constexpr,  # the type of the sums
):
    row = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), ACC)
    for first in range(0, cols, BLOCK):
        col = first + lanes
        place = grad_ptr + row * grad_row + col
        grad = tl.load(place, mask=col < cols, other=0.0).to(ACC)
        place = y_ptr + row * y_row + col
        y = tl.load(place, mask=col < cols, other=0.0).to(ACC)
        total += grad * y
    mean = tl.sum(total, axis=0)
    for first in range(0, cols, BLOCK):
        col = first + lanes
        place = grad_ptr + row * grad_row + col
        grad = tl.load(place, mask=col < cols, other=0.0).to(ACC)
        place = y_ptr + row * y_row + col
        y = tl.load(place, mask=col < cols, other=0.0).to(ACC)
        place = dx_ptr + row * dx_row + col
        tl.store(place, y * (grad - mean), mask=col < cols)


def softmax_online_backward(grad, y, block=LANES * EACH):
    """The gradient of x, for rows of any length."""
    dx = torch.empty(y.shape, dtype=y.dtype, device=y.device)
    if y.numel() == 0:
        return dx
    grad, y = as_rows("grad", grad), as_rows("y", y)
    target = as_rows("dx", dx)
    rows, cols = y.shape
    softmax_online_backward_kernel[(rows,)](
        grad, y, target, cols,
        grad.stride(0), y.stride(0), target.stride(0),
        BLOCK=block, ACC=sums_in(y), num_warps=16,
    )  # fmt: skip
    return dx
# --8<-- [end:backward]


# --8<-- [start:function]
class Softmax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = softmax_any(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (y,) = ctx.saved_tensors
        grad = grad.resolve_neg()
        if y.shape[-1] <= LIMIT:
            return softmax_backward(grad, y)
        return softmax_online_backward(grad, y)
# --8<-- [end:function]


if __name__ == "__main__":
    print("== 15.2.1 a row longer than a block ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    x = 5 * torch.randn(3, 1000)
    x[1, :200] = float("-inf")  # the first turns see no score
    x[2] = float("-inf")
    x = x.to(DEVICE)
    y = softmax_online(x, lanes=16, each=8, warps=1)
    truth = torch.softmax(x[:2].double(), 1)
    worst = (y[:2].double() - truth).abs().max().item()
    print(f"turns: {triton.cdiv(1000, 16 * 8)}")
    print(f"float32 max abs diff: {worst:.1e}")
    print(f"row 1, hidden part: {y[1, :200].abs().max().item()}")
    print(f"row 2, all hidden: {y[2].abs().max().item()}")

    long = torch.randn(2, LIMIT + 1).to(DEVICE).requires_grad_()
    w = torch.randn(2, LIMIT + 1).to(DEVICE)
    (ours,) = torch.autograd.grad((Softmax.apply(long) * w).sum(), long)
    (theirs,) = torch.autograd.grad(
        (torch.softmax(long, 1) * w).sum(), long
    )
    worst = (ours - theirs).abs().max() / theirs.abs().max()
    print(f"gradient, relative diff: {worst.item():.1e}")
    # --8<-- [end:demo]
