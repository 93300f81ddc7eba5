"""15.4: the backward of the norms for rows too wide for registers."""

# /// capture
# runners = ["interpreter", "gpu"]
# [labels]
# "* max abs diff" = { kind = "bound", limit = 1e-9 }
# ///

import torch
import triton
import triton.language as tl

from ch15_softmax.rows import sums_in

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
TILE_LINES, TILE_COLS = 16, 128  # a tile
PARTS = 16  # of the rows


# --8<-- [start:kernels]
@triton.jit
def norm_means_kernel(
    grad_ptr,  # address of the gradient of the output
    x_ptr,  # address of what the forward read
    weight_ptr,  # address of weight[0]
    mean_ptr,  # address of mean[0]; not read unless CENTERED
    rstd_ptr,  # address of rstd[0], one for each row
    means_ptr,  # means[k, i]: of p * u, and of p, in row i
    cols,  # how many columns
    grad_row,  # from a row of grad to the next, 0 if expanded
    x_row,  # the same for x
    CENTERED: tl.constexpr,  # LayerNorm: x - mean
    BLOCK: tl.constexpr,  # columns taken at a time
    ACC: tl.constexpr,  # the type of the sums
):
    row = tl.program_id(0).to(tl.int64)
    rstd = tl.load(rstd_ptr + row)
    lanes = tl.arange(0, BLOCK)
    along = tl.zeros((BLOCK,), ACC)
    level = tl.zeros((BLOCK,), ACC)
    for first in range(0, cols, BLOCK):
        col = first + lanes
        mask = col < cols
        place = grad_ptr + row * grad_row + col
        grad = tl.load(place, mask=mask, other=0.0).to(ACC)
        x = tl.load(x_ptr + row * x_row + col, mask=mask, other=0.0)
        weight = tl.load(weight_ptr + col, mask=mask, other=0.0)
        away = x.to(ACC)
        if CENTERED:
            away -= tl.load(mean_ptr + row)
        pull = grad * weight.to(ACC)
        along += pull * (away * rstd)
        level += pull
    rows = tl.num_programs(0).to(tl.int64)
    tl.store(means_ptr + row, tl.sum(along, axis=0) / cols)
    tl.store(means_ptr + rows + row, tl.sum(level, axis=0) / cols)


@triton.jit
def norm_tiles_kernel(
    grad_ptr,  # address of the gradient of the output
    x_ptr,  # address of what the forward read
    weight_ptr,  # address of weight[0]
    mean_ptr,  # address of mean[0]; not read unless CENTERED
    rstd_ptr,  # address of rstd[0], one for each row
    means_ptr,  # means[k, i]: of p * u, and of p, in row i
    dx_ptr,  # address of the gradient of x
    part_ptr,  # part[0, p]: sums for weight of part p of the rows
    rows,  # how many rows
    cols,  # how many columns
    each,  # how many rows a part has
    grad_row,  # from a row of grad to the next, 0 if expanded
    x_row,  # the same for x
    dx_row,  # the same for dx
    CENTERED: tl.constexpr,  # LayerNorm: x - mean, and a bias
    LINES: tl.constexpr,  # rows taken at a time
    COLS: tl.constexpr,  # columns of this program
    ACC: tl.constexpr,  # the type of the sums
):
    part = tl.program_id(1)
    col = tl.program_id(0) * COLS + tl.arange(0, COLS)[None, :]
    real = col < cols
    weight = tl.load(weight_ptr + col, mask=real, other=0.0).to(ACC)
    dweight = tl.zeros((LINES, COLS), ACC)
    dbias = tl.zeros((LINES, COLS), ACC)
    for first in range(0, each, LINES):
        inside = first + tl.arange(0, LINES)[:, None]
        row = part * each + inside
        there = (inside < each) & (row < rows)
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
        along = tl.load(means_ptr + row, mask=there, other=0.0)
        dx = grad * weight - unit * along
        if CENTERED:
            place = means_ptr + rows + far
            dx -= tl.load(place, mask=there, other=0.0)
            dbias += grad
        place = dx_ptr + far * dx_row + col
        tl.store(place, dx * rstd, mask=mask)
        dweight += grad * unit
    place = part_ptr + part.to(tl.int64) * cols + col
    total = tl.sum(dweight, axis=0, keep_dims=True)
    tl.store(place, total, mask=real)
    if CENTERED:
        place += tl.num_programs(1).to(tl.int64) * cols
        total = tl.sum(dbias, axis=0, keep_dims=True)
        tl.store(place, total, mask=real)
# --8<-- [end:kernels]


# --8<-- [start:launches]
def wide_rows(grad, x, weight, mean, rstd, dx, part):
    """dx and part for rows whose sums registers do not hold."""
    rows, cols = x.shape
    kinds, parts, _ = part.shape
    means = rstd.new_empty(2, rows)
    norm_means_kernel[(rows,)](
        grad, x, weight, mean, rstd, means, cols,
        grad.stride(0), x.stride(0),
        CENTERED=kinds == 2, BLOCK=2048, ACC=sums_in(x), num_warps=8,
    )  # fmt: skip
    norm_tiles_kernel[(triton.cdiv(cols, TILE_COLS), parts)](
        grad, x, weight, mean, rstd, means, dx, part, rows, cols,
        triton.cdiv(rows, parts),
        grad.stride(0), x.stride(0), dx.stride(0),
        CENTERED=kinds == 2, LINES=TILE_LINES, COLS=TILE_COLS,
        ACC=sums_in(x),
    )  # fmt: skip
# --8<-- [end:launches]


if __name__ == "__main__":
    # --8<-- [start:demo]
    torch.manual_seed(0)
    x, grad = torch.randn(2, 9, 300, dtype=torch.float64).to(DEVICE)
    weight, bias = torch.randn(2, 300, dtype=torch.float64).to(DEVICE)
    mean = x.mean(1)
    rstd = (x.var(1, correction=0) + 1e-5).rsqrt()
    dx, part = torch.empty_like(x), x.new_empty(2, 4, 300)
    wide_rows(grad, x, weight, mean, rstd, dx, part)
    own = [t.clone().requires_grad_() for t in (x, weight, bias)]
    y = torch.nn.functional.layer_norm(own[0], (300,), *own[1:])
    wanted = torch.autograd.grad(y, own, grad)
    found = (dx, *part.sum(1))
    for name, a, b in zip(("x", "weight", "bias"), found, wanted):
        print(f"d{name} max abs diff: {(a - b).abs().max().item():.1e}")
    # --8<-- [end:demo]
