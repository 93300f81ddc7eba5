"""15.1.1: a stable softmax of each row, forward and backward."""

# /// capture
# [labels]
# "* max abs diff" = { kind = "bound", limit = 1e-2 }
# ///

import torch
import triton
import triton.language as tl
from torch.autograd.function import once_differentiable

from ch06_contract.silu import widen
from ch15_softmax.rows import as_rows, tile_of_rows

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
NO_SCORE = tl.constexpr(float("-inf"))  # what padding holds


# --8<-- [start:kernel]
@triton.jit
def softmax_kernel(
    x_ptr,  # address of x[0, 0], a float of any width
    out_ptr,  # address of out[0, 0], of the same dtype
    rows,  # how many rows both have
    cols,  # how many columns, at most BLOCK
    x_row,  # from a row of x to the next, in elements
    out_row,  # the same for out
    ROWS: tl.constexpr,  # rows of this program
    BLOCK: tl.constexpr,  # lanes of a row, a power of two
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    col = tl.arange(0, BLOCK)[None, :]
    mask = (row < rows) & (col < cols)
    row = row.to(tl.int64)
    x_ptr += row * x_row + col
    x = widen(tl.load(x_ptr, mask=mask, other=NO_SCORE))
    largest = tl.max(x, axis=1, keep_dims=True)
    largest = tl.where(largest == NO_SCORE, 0.0, largest)
    e = tl.exp(x - largest)
    total = tl.sum(e, axis=1, keep_dims=True)
    scale = 1.0 / tl.where(total == 0.0, 1.0, total)
    tl.store(out_ptr + row * out_row + col, e * scale, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def softmax_rows(x: torch.Tensor) -> torch.Tensor:
    """Softmax along the last dimension, for rows that fit a block.
    A row of nothing but -inf becomes zeros, not NaN."""
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if x.numel() == 0:
        return out
    x, y = as_rows("x", x), as_rows("out", out)
    rows, cols = x.shape
    tile, block, warps = tile_of_rows(cols, each=16)
    softmax_kernel[(triton.cdiv(rows, tile),)](
        x, y, rows, cols, x.stride(0), y.stride(0),
        ROWS=tile, BLOCK=block, num_warps=warps,
    )  # fmt: skip
    return out
# --8<-- [end:wrapper]


# --8<-- [start:backward]
@triton.jit
def softmax_backward_kernel(
    grad_ptr,  # address of the gradient of the output
    y_ptr,  # address of the output
    dx_ptr,  # address of the gradient of x, the result
    rows,  # how many rows all three have
    cols,  # how many columns, at most BLOCK
    grad_row,  # from a row of grad to the next, 0 if expanded
    y_row,  # the same for y
    dx_row,  # the same for dx
    ROWS: tl.constexpr,  # rows of this program
    BLOCK: tl.constexpr,  # lanes of a row, a power of two
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    col = tl.arange(0, BLOCK)[None, :]
    mask = (row < rows) & (col < cols)
    row = row.to(tl.int64)
    grad_ptr += row * grad_row + col
    grad = widen(tl.load(grad_ptr, mask=mask, other=0.0))
    y = widen(tl.load(y_ptr + row * y_row + col, mask=mask, other=0.0))
    mean = tl.sum(grad * y, axis=1, keep_dims=True)
    dx = y * (grad - mean)
    tl.store(dx_ptr + row * dx_row + col, dx, mask=mask)


def softmax_backward(grad, y):
    """The gradient of x from those of the output, and the output."""
    dx = torch.empty(y.shape, dtype=y.dtype, device=y.device)
    if y.numel() == 0:
        return dx
    grad, y = as_rows("grad", grad), as_rows("y", y)
    target = as_rows("dx", dx)
    rows, cols = y.shape
    tile, block, warps = tile_of_rows(cols, each=16)
    softmax_backward_kernel[(triton.cdiv(rows, tile),)](
        grad, y, target, rows, cols,
        grad.stride(0), y.stride(0), target.stride(0),
        ROWS=tile, BLOCK=block, num_warps=warps,
    )  # fmt: skip
    return dx
# --8<-- [end:backward]


# --8<-- [start:function]
class SoftmaxRows(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        y = softmax_rows(x)
        ctx.save_for_backward(y)
        return y

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        return softmax_backward(grad.resolve_neg(), *ctx.saved_tensors)
# --8<-- [end:function]


if __name__ == "__main__":
    print("== 15.1.1 softmax of logarithms ==")
    # --8<-- [start:demo]
    inf = float("inf")
    parts = torch.tensor([[1.0, 2.0, 5.0], [3.0, 1.0, 0.0]])
    x = parts.log().to(DEVICE)  # log 0 is -inf
    for shift in (0, 1000):
        y = softmax_rows(x + shift).tolist()
        print(f"shift {shift}: {[[round(v, 4) for v in r] for r in y]}")
    hidden = torch.full((1, 3), -inf, device=DEVICE)
    print(f"all hidden: {softmax_rows(hidden).tolist()}")
    print(f"all hidden, torch: {torch.softmax(hidden, 1).tolist()}")

    torch.manual_seed(0)
    x = torch.randn(7, 100).to(DEVICE)
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        y = softmax_rows(x.to(dtype))
        truth = torch.softmax(x.to(dtype).double(), 1)
        worst = (y.double() - truth).abs().max().item()
        print(f"{dtype} max abs diff: {worst:.1e}")
    x = x[:3, :5].double().requires_grad_()
    passed = torch.autograd.gradcheck(
        SoftmaxRows.apply, (x,), raise_exception=False
    )
    print(f"gradcheck in float64: {passed}")
    # --8<-- [end:demo]
