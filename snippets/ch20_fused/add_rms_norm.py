"""20.1.1: add to the residual stream and norm the sum, forward and
backward, each in one sweep."""

# /// capture
# [labels]
# "* relative diff" = { kind = "bound", limit = 2e-2 }
# ///

import torch
import triton
import triton.language as tl
from torch.autograd.function import once_differentiable

from ch06_contract.silu import check_float, widen
from ch15_softmax.layer_norm import check_columns
from ch15_softmax.norm_backward import (
    AHEAD,
    PART_COLS,
    PART_LINES,
    TURN,
    WIDEST,
    check_stats,
    norm_backward,
    programs_for,
    totals_kernel,
)
from ch15_softmax.rows import as_rows, sums_in, tile_of_rows

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
NORM_EACH = 32  # elements of a thread, forward


# --8<-- [start:forward]
@triton.jit
def add_rms_norm_kernel(
    x_ptr,  # address of x[0, 0], what a branch adds
    stream_ptr,  # address of stream[0, 0], what it is added to
    weight_ptr,  # address of weight[0]: one for each column
    out_ptr,  # address of out[0, 0], the sum normed
    total_ptr,  # address of total[0, 0], the sum
    rstd_ptr,  # address of rstd[0]: 1 / root of the mean square
    rows,  # how many rows
    cols,  # how many columns, at most BLOCK
    x_row,  # from a row of x to the next, in elements
    stream_row,  # the same for stream; out and total have cols
    eps,  # what is added to the mean square
    ROWS: tl.constexpr,  # rows of this program
    BLOCK: tl.constexpr,  # lanes of a row, a power of two
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    col = tl.arange(0, BLOCK)[None, :]
    real = col < cols
    mask = (row < rows) & real
    far = row.to(tl.int64)
    x = tl.load(x_ptr + far * x_row + col, mask=mask, other=0.0)
    place = stream_ptr + far * stream_row + col
    stream = tl.load(place, mask=mask, other=0.0)
    total = widen(x) + widen(stream)
    total = total.to(total_ptr.dtype.element_ty)
    tl.store(total_ptr + far * cols + col, total, mask=mask)
    total = widen(total)  # as the next reader will see it
    square = tl.sum(total * total, axis=1, keep_dims=True) / cols
    rstd = 1.0 / tl.sqrt(square + eps)
    weight = widen(tl.load(weight_ptr + col, mask=real, other=0.0))
    place = out_ptr + far * cols + col
    tl.store(place, total * rstd * weight, mask=mask)
    tl.store(rstd_ptr + row, rstd, mask=row < rows)
# --8<-- [end:forward]


# --8<-- [start:wrapper]
def check_alike(name, y, x):
    """Raise unless y has the shape and the dtype of x."""
    check_float(name, y)
    if y.shape != x.shape or y.dtype != x.dtype:
        raise ValueError(
            f"{name} is {y.dtype} {tuple(y.shape)}, "
            f"wanted {x.dtype} {tuple(x.shape)}"
        )


def check_written(name, y):
    """Raise where elements of y share one place in memory."""
    for size, stride in zip(y.shape, y.stride()):
        if size > 1 and stride == 0:
            raise ValueError(
                f"{name} has strides {y.stride()}: a stride of 0 "
                f"would write {size} values to one element"
            )


def add_rms_norm(x, stream, weight, eps=1e-5, each=NORM_EACH):
    """The sum normed, the sum, and 1 / root of the mean square;
    along the last dimension."""
    weight = check_columns("weight", weight, x)
    check_alike("stream", stream, x)
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    total = torch.empty_like(out)
    wide = torch.promote_types(x.dtype, torch.float32)
    count = x.shape[:-1].numel()
    rstd = torch.empty(count, dtype=wide, device=x.device)
    if x.numel() == 0:
        return out, total, rstd.fill_(eps**-0.5)
    x, stream = as_rows("x", x), as_rows("stream", stream)
    rows, cols = x.shape
    tile, block, warps = tile_of_rows(cols, each)
    add_rms_norm_kernel[(triton.cdiv(rows, tile),)](
        x, stream, weight, out, total, rstd, rows, cols,
        x.stride(0), stream.stride(0), float(eps),
        ROWS=tile, BLOCK=block, num_warps=warps,
    )  # fmt: skip
    return out, total, rstd
# --8<-- [end:wrapper]


# --8<-- [start:backward]
@triton.jit
def add_rms_norm_backward_kernel(
    grad_ptr,  # address of the gradient of out
    stream_ptr,  # address of the gradient of total
    total_ptr,  # address of total[0, 0]
    weight_ptr,  # address of weight[0]
    rstd_ptr,  # address of rstd[0], one for each row
    dx_ptr,  # address of the gradient of x, and of stream
    part_ptr,  # part[p]: the sums for weight of program p
    rows,  # how many rows
    cols,  # how many columns, at most BLOCK
    grad_row,  # from a row of grad to the next, 0 if expanded
    stream_row,  # the same for the gradient of total
    total_row,  # the same for total; dx has cols
    ROWS: tl.constexpr,  # rows taken at a time
    BLOCK: tl.constexpr,  # lanes of a row, a power of two
    STAGES: tl.constexpr,  # rows under way, this one included
    ACC: tl.constexpr,  # the type of the sums
):
    col = tl.arange(0, BLOCK)[None, :]
    real = col < cols
    weight = tl.load(weight_ptr + col, mask=real, other=0.0)
    dweight = tl.zeros((ROWS, BLOCK), ACC)
    pid, programs = tl.program_id(0), tl.num_programs(0)
    tiles = tl.cdiv(rows, ROWS)
    for tile in tl.range(pid, tiles, programs, num_stages=STAGES):
        row = tile * ROWS + tl.arange(0, ROWS)[:, None]
        there = row < rows
        mask = there & real
        far = row.to(tl.int64)
        place = grad_ptr + far * grad_row + col
        grad = tl.load(place, mask=mask, other=0.0).to(ACC)
        place = total_ptr + far * total_row + col
        total = tl.load(place, mask=mask, other=0.0).to(ACC)
        place = stream_ptr + far * stream_row + col
        stream = tl.load(place, mask=mask, other=0.0).to(ACC)
        rstd = tl.load(rstd_ptr + row, mask=there, other=0.0)
        unit = total * rstd
        pull = grad * weight.to(ACC)
        along = tl.sum(pull * unit, axis=1, keep_dims=True) / cols
        dx = (pull - unit * along) * rstd + stream
        tl.store(dx_ptr + far * cols + col, dx, mask=mask)
        dweight += grad * unit
    place = part_ptr + pid.to(tl.int64) * cols + col
    dweight = tl.sum(dweight, axis=0, keep_dims=True)
    tl.store(place, dweight, mask=real)
# --8<-- [end:backward]


# --8<-- [start:backward_wrapper]
def add_rms_norm_backward(
    grad_out, grad_total, total, weight, rstd,
    stages=3, warps=None, programs=None,
):
    """The one gradient of x and stream, and that of weight."""
    weight = check_columns("weight", weight, total)
    check_alike("grad_out", grad_out, total)
    check_alike("grad_total", grad_total, total)
    check_stats(total, rstd)
    rows, cols = len(rstd), total.shape[-1]
    if total.numel() == 0 or cols > WIDEST:
        norm = norm_backward(grad_out, total, weight, None, rstd)
        return norm[0].add_(grad_total), norm[1]
    dx = torch.empty_like(total, memory_format=torch.contiguous_format)
    grad = as_rows("grad_out", grad_out)
    stream = as_rows("grad_total", grad_total)
    total = as_rows("total", total)
    tile, block, fit = tile_of_rows(cols, 32, TURN)
    programs = programs or programs_for(rows, WIDEST // (tile * block))
    turn = 3 * tile * block * total.element_size()
    part = rstd.new_empty(programs, cols)
    add_rms_norm_backward_kernel[(programs,)](
        grad, stream, total, weight, rstd, dx, part, rows, cols,
        grad.stride(0), stream.stride(0), total.stride(0),
        ROWS=tile, BLOCK=block, STAGES=min(1 + AHEAD // turn, stages),
        ACC=sums_in(total), num_warps=warps or fit,
    )  # fmt: skip
    dweight = torch.empty_like(weight)
    totals_kernel[(triton.cdiv(cols, PART_COLS), 1)](
        part, dweight, programs, cols, LINES=PART_LINES, COLS=PART_COLS
    )
    return dx, dweight
# --8<-- [end:backward_wrapper]


# --8<-- [start:function]
class AddRMSNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, stream, weight, eps=1e-5):
        out, total, rstd = add_rms_norm(x, stream, weight, eps)
        ctx.save_for_backward(total, weight, rstd)
        ctx.set_materialize_grads(False)
        return out, total

    @staticmethod
    @once_differentiable
    def backward(ctx, grad_out, grad_total):
        total, weight, rstd = ctx.saved_tensors
        if grad_out is None:  # nobody used out
            return grad_total, grad_total, None, None
        grad_out = grad_out.resolve_neg()
        if grad_total is None:  # nobody used the sum
            dx, dweight = norm_backward(
                grad_out, total, weight, None, rstd
            )
        else:
            dx, dweight = add_rms_norm_backward(
                grad_out, grad_total.resolve_neg(), total, weight, rstd
            )
        return dx, dx, dweight, None
# --8<-- [end:function]


# --8<-- [start:eager]
def add_rms_norm_eager(x, stream, weight, eps=1e-5):
    total = x + stream
    normed = torch.nn.functional.rms_norm(
        total, weight.shape, weight, eps
    )
    return normed, total
# --8<-- [end:eager]


if __name__ == "__main__":
    print("== 20.1.1 two gradients come back ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    x, stream = torch.randn(2, 9, 10, dtype=torch.float64)
    weight = torch.randn(10, dtype=torch.float64)
    inputs = [
        t.to(DEVICE).requires_grad_() for t in (x, stream, weight)
    ]
    passed = torch.autograd.gradcheck(
        AddRMSNorm.apply, inputs, raise_exception=False
    )
    print(f"gradcheck in float64: {passed}")

    data = torch.randn(4, 37, 100)
    scale = torch.randn(100)
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        x, stream, *grads = data.to(DEVICE, dtype)
        own = [x, stream, scale.to(DEVICE, dtype)]
        true = [t.double() for t in own]
        for leaf in own + true:
            leaf.requires_grad_()
        found = AddRMSNorm.apply(*own)
        wanted = add_rms_norm_eager(*true)
        found += torch.autograd.grad(found, own, grads)
        wanted += torch.autograd.grad(
            wanted, true, [g.double() for g in grads]
        )
        names = ("out", "total", "dx", "dstream", "dweight")
        for name, a, b in zip(names, found, wanted):
            worst = (a - b).abs().max() / b.abs().max()
            print(f"{dtype} {name} relative diff: {worst:.1e}")
    # --8<-- [end:demo]
