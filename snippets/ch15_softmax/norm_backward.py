"""15.4.2: the gradients of LayerNorm and RMSNorm, in two launches."""

# /// capture
# [labels]
# "* relative diff" = { kind = "bound", limit = 2e-2 }
# ///

import torch
import triton
import triton.language as tl
from torch.autograd.function import once_differentiable

from ch15_softmax.layer_norm import check_columns, layer_norm
from ch15_softmax.rms_norm import rms_norm
from ch15_softmax.rows import as_rows, sums_in, tile_of_rows
from ch15_softmax.wide_rows import PARTS, wide_rows

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
TURN = 4096  # elements of a turn, for rows that are shorter
WIDEST = 8192  # the longest row whose sums fit in registers
AHEAD = 192 * 1024  # bytes of a multiprocessor for later turns
PART_LINES, PART_COLS = 32, 32  # a tile of the second pass


# --8<-- [start:kernel]
@triton.jit
def norm_backward_kernel(
    grad_ptr,  # address of the gradient of the output
    x_ptr,  # address of what the forward read
    weight_ptr,  # address of weight[0]
    mean_ptr,  # address of mean[0]; not read unless CENTERED
    rstd_ptr,  # address of rstd[0], one for each row
    dx_ptr,  # address of the gradient of x
    part_ptr,  # part[0, p]: the sums for weight of program p
    rows,  # how many rows
    cols,  # how many columns, at most BLOCK
    grad_row,  # from a row of grad to the next, 0 if expanded
    x_row,  # the same for x
    dx_row,  # the same for dx
    CENTERED: tl.constexpr,  # LayerNorm: x - mean, and a bias
    ROWS: tl.constexpr,  # rows taken at a time
    BLOCK: tl.constexpr,  # lanes of a row, a power of two
    STAGES: tl.constexpr,  # rows under way, this one included
    ACC: tl.constexpr,  # the type of the sums
):
    col = tl.arange(0, BLOCK)[None, :]
    real = col < cols
    weight = tl.load(weight_ptr + col, mask=real, other=0.0)
    dweight = tl.zeros((ROWS, BLOCK), ACC)
    dbias = tl.zeros((ROWS, BLOCK), ACC)
    pid, programs = tl.program_id(0), tl.num_programs(0)
    tiles = tl.cdiv(rows, ROWS)
    for tile in tl.range(pid, tiles, programs, num_stages=STAGES):
        row = tile * ROWS + tl.arange(0, ROWS)[:, None]
        there = row < rows
        mask = there & real
        far = row.to(tl.int64)
        place = grad_ptr + far * grad_row + col
        grad = tl.load(place, mask=mask, other=0.0).to(ACC)
        place = x_ptr + far * x_row + col
        x = tl.load(place, mask=mask, other=0.0).to(ACC)
        rstd = tl.load(rstd_ptr + row, mask=there, other=0.0)
        if CENTERED:
            x -= tl.load(mean_ptr + row, mask=there, other=0.0)
        unit = x * rstd
        pull = grad * weight.to(ACC)
        along = tl.sum(pull * unit, axis=1, keep_dims=True) / cols
        dx = pull - unit * along
        if CENTERED:
            dx -= tl.sum(pull, axis=1, keep_dims=True) / cols
            dbias += grad
        place = dx_ptr + far * dx_row + col
        tl.store(place, dx * rstd, mask=mask)
        dweight += grad * unit
    place = part_ptr + pid.to(tl.int64) * cols + col
    total = tl.sum(dweight, axis=0, keep_dims=True)
    tl.store(place, total, mask=real)
    if CENTERED:
        place += programs.to(tl.int64) * cols
        total = tl.sum(dbias, axis=0, keep_dims=True)
        tl.store(place, total, mask=real)
# --8<-- [end:kernel]


# --8<-- [start:totals]
@triton.jit
def totals_kernel(
    part_ptr,  # part[k, p, j]: sum k of program p for column j
    out_ptr,  # out[k, j], of any float dtype
    parts,  # how many programs there were
    cols,  # how many columns
    LINES: tl.constexpr,  # programs taken at a time
    COLS: tl.constexpr,  # columns of this program
):
    kind = tl.program_id(1).to(tl.int64)
    col = tl.program_id(0) * COLS + tl.arange(0, COLS)[None, :]
    line = tl.arange(0, LINES)[:, None]
    total = tl.zeros((LINES, COLS), part_ptr.dtype.element_ty)
    for first in range(0, parts, LINES):
        place = (kind * parts + first + line) * cols + col
        mask = (first + line < parts) & (col < cols)
        total += tl.load(part_ptr + place, mask=mask, other=0.0)
    total = tl.sum(total, axis=0, keep_dims=True)
    tl.store(out_ptr + kind * cols + col, total, mask=col < cols)
# --8<-- [end:totals]


# --8<-- [start:wrapper]
def programs_for(rows, each):
    """Each multiprocessor gets as many; a CPU gets four in all."""
    if DEVICE == "cpu":
        return min(rows, 4)
    here = torch.cuda.get_device_properties("cuda")
    return min(rows, here.multi_processor_count * each)


def check_stats(x, *stats):
    """Raise unless each of stats has a number for each row of x."""
    rows = x.shape[:-1].numel()
    for one in stats:
        if one.shape != (rows,) or not one.is_contiguous():
            raise ValueError(
                f"statistics {tuple(one.shape)}, strides "
                f"{one.stride()}, wanted one for each of {rows} rows"
            )


def norm_backward(
    grad, x, weight, mean, rstd, programs=None, stages=3
):
    """Gradients of x, weight and bias; without a mean, RMSNorm's
    gradients of x and weight."""
    if grad.shape != x.shape or grad.dtype != x.dtype:
        raise ValueError(
            f"grad is {grad.dtype} {tuple(grad.shape)}, "
            f"x is {x.dtype} {tuple(x.shape)}"
        )
    weight = check_columns("weight", weight, x)
    dx = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    centered = mean is not None
    check_stats(x, *([mean, rstd] if centered else [rstd]))
    sums = x.new_empty(1 + centered, x.shape[-1])
    if x.numel() == 0:
        return dx, *sums.zero_()
    grad, x = as_rows("grad", grad), as_rows("x", x)
    target = as_rows("dx", dx)
    rows, cols = x.shape
    wide = cols > WIDEST
    if not wide:
        tile, block, warps = tile_of_rows(cols, 32, TURN)
    if programs is None and wide:
        programs = PARTS
    elif programs is None:
        programs = programs_for(rows, WIDEST // (tile * block))
    part = rstd.new_empty(1 + centered, programs, cols)
    if wide:
        wide_rows(grad, x, weight, mean, rstd, target, part)
    else:
        turn = 2 * WIDEST * x.element_size()  # of x and grad
        norm_backward_kernel[(programs,)](
            grad, x, weight, mean, rstd, target, part, rows, cols,
            grad.stride(0), x.stride(0), target.stride(0),
            CENTERED=centered, ROWS=tile, BLOCK=block,
            STAGES=min(1 + AHEAD // turn, stages), ACC=sums_in(x),
            num_warps=warps,
        )  # fmt: skip
    totals_kernel[(triton.cdiv(cols, PART_COLS), 1 + centered)](
        part, sums, programs, cols, LINES=PART_LINES, COLS=PART_COLS
    )
    return dx, *sums
# --8<-- [end:wrapper]


# --8<-- [start:functions]
class LayerNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, bias, eps=1e-5):
        out, mean, rstd = layer_norm(x, weight, bias, eps)
        ctx.save_for_backward(x, weight, mean, rstd)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        grad = grad.resolve_neg()
        return *norm_backward(grad, *ctx.saved_tensors), None


class RMSNorm(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, eps=1e-5):
        out, rstd = rms_norm(x, weight, eps)
        ctx.save_for_backward(x, weight, rstd)
        return out

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        x, weight, rstd = ctx.saved_tensors
        grad = grad.resolve_neg()
        return *norm_backward(grad, x, weight, None, rstd), None
# --8<-- [end:functions]


if __name__ == "__main__":
    print("== 15.4.2 gradients ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    x = torch.randn(9, 10, dtype=torch.float64)
    weight, bias = torch.randn(2, 10, dtype=torch.float64)
    inputs = [t.to(DEVICE).requires_grad_() for t in (x, weight, bias)]
    for fn, args in ((LayerNorm, inputs), (RMSNorm, inputs[:2])):
        passed = torch.autograd.gradcheck(
            fn.apply, args, raise_exception=False
        )
        print(f"{fn.__name__} gradcheck in float64: {passed}")

    x = torch.randn(37, 100)
    weight, bias, _ = torch.randn(3, 100)
    grad = torch.randn(37, 100)
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        own = [t.to(DEVICE, dtype) for t in (x, weight, bias)]
        own = [t.requires_grad_() for t in own]
        found = torch.autograd.grad(
            LayerNorm.apply(*own), own, grad.to(DEVICE, dtype)
        )
        true = [t.detach().double().requires_grad_() for t in own]
        y = torch.nn.functional.layer_norm(true[0], (100,), *true[1:])
        wanted = torch.autograd.grad(
            y, true, grad.to(DEVICE, dtype).double()
        )
        for name, a, b in zip(("x", "weight", "bias"), found, wanted):
            worst = (a - b).abs().max() / b.abs().max()
            print(f"{dtype} d{name} relative diff: {worst:.1e}")
    # --8<-- [end:demo]
