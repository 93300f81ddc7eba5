"""6.5.1: a backward kernel, and autograd.Function around both."""

# /// capture
# [labels]
# "* max abs diff" = { kind = "bound", limit = 1e-6 }
# ///

import torch
import triton
import triton.language as tl
from torch.autograd.function import once_differentiable

from ch06_contract.silu import as_matrices, check_float, silu
from ch06_contract.silu import tile_for, widen
from ch06_contract.strided_scale import tile_of

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def silu_backward_kernel(
    grad_ptr,  # address of the gradient of the output
    x_ptr,  # address of what the forward read
    out_ptr,  # address of the gradient of x, the result
    rows,  # how many rows all three have
    cols,  # how many columns
    grad_row,  # strides of the gradient, 0 if it is expanded
    grad_col,
    x_row,  # strides of x
    x_col,
    out_row,  # strides of the result
    out_col,
    BLOCK_ROWS: tl.constexpr,  # rows of a program's tile
    BLOCK_COLS: tl.constexpr,  # columns of it
):
    pid = tl.program_id(0)
    row, col, mask = tile_of(pid, rows, cols, BLOCK_ROWS, BLOCK_COLS)
    grad_ptr += row * grad_row + col * grad_col
    grad = widen(tl.load(grad_ptr, mask=mask))
    x = widen(tl.load(x_ptr + row * x_row + col * x_col, mask=mask))
    sigmoid = 1.0 / (1.0 + tl.exp(-x))
    slope = sigmoid * (1.0 + x * (1.0 - sigmoid))
    out_ptr += row * out_row + col * out_col
    tl.store(out_ptr, grad * slope, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def silu_backward(grad: torch.Tensor, x: torch.Tensor) -> torch.Tensor:
    """The gradient of x, contiguous; grad and x of any strides."""
    check_float("grad", grad)
    check_float("x", x)
    if grad.shape != x.shape or grad.dtype != x.dtype:
        raise ValueError(
            f"grad is {grad.dtype} {tuple(grad.shape)}, "
            f"x is {x.dtype} {tuple(x.shape)}"
        )
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if x.numel() == 0:
        return out
    grad, x, target = as_matrices(grad, x, out)
    rows, cols = x.shape
    block = tile_for(rows)
    tiles = triton.cdiv(rows, block[0]) * triton.cdiv(cols, block[1])
    silu_backward_kernel[(tiles,)](
        grad, x, target, rows, cols,
        *grad.stride(), *x.stride(), *target.stride(),
        BLOCK_ROWS=block[0], BLOCK_COLS=block[1],
    )  # fmt: skip
    return out
# --8<-- [end:wrapper]


# --8<-- [start:function]
class Silu(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return silu(x)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (x,) = ctx.saved_tensors
        # a conjugation downstream sends a lazy negative
        return silu_backward(grad.resolve_neg(), x)
# --8<-- [end:function]


if __name__ == "__main__":
    print("== 6.5.1 gradcheck, in float64 ==")
    # --8<-- [start:gradcheck]
    torch.manual_seed(0)
    wide = torch.randn(3, 8, dtype=torch.float64).to(DEVICE)
    for name, x in [
        ("contiguous", wide[:, :4].clone()),
        ("transposed", wide[:, :4].T),
        ("every second column", wide[:, ::2]),
    ]:
        x = x.detach().requires_grad_()
        passed = torch.autograd.gradcheck(
            Silu.apply, (x,), raise_exception=False
        )
        print(f"{name} strides: {x.stride()}")
        print(f"{name} gradcheck: {passed}")
    # --8<-- [end:gradcheck]

    print("== 6.5.1 gradients of every kind ==")
    # --8<-- [start:gradients]
    torch.manual_seed(0)
    w = torch.randn(4, 3).to(DEVICE)
    losses = {
        "squares": lambda y: y.square().sum(),
        "sum": lambda y: y.sum(),
        "weighted columns": lambda y: (y.sum(0) * w[:, 0]).sum(),
        "weighted rows": lambda y: (y.sum(1) * w[0]).sum(),
        "transposed": lambda y: (y.T * w).sum(),
        "conjugate": lambda y: torch.complex(w.T, y).conj().abs().sum(),
    }
    x = torch.randn(3, 4).to(DEVICE).requires_grad_()
    for name, loss in losses.items():
        (ours,) = torch.autograd.grad(loss(Silu.apply(x)), x)
        theirs = loss(torch.nn.functional.silu(x))
        (theirs,) = torch.autograd.grad(theirs, x)
        diff = (ours - theirs).abs().max().item()
        print(f"{name} max abs diff: {diff:.1e}")
    # --8<-- [end:gradients]
