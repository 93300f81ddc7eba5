"""15.3.1: LayerNorm of each row, with what its backward needs."""

# /// capture
# differs = """The compiled division rounds the mean a little above
# 10, so the middle element is a negative number that rounds to 0."""
# [labels]
# "* max abs diff" = { kind = "bound", limit = 5e-2 }
# ///

import torch
import triton
import triton.language as tl

from ch06_contract.silu import check_float, widen
from ch15_softmax.rows import as_rows, tile_of_rows

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def layer_norm_kernel(
    x_ptr,  # address of x[0, 0], a float of any width
    weight_ptr,  # address of weight[0]: one for each column
    bias_ptr,  # address of bias[0]: one for each column
    out_ptr,  # address of out[0, 0], of x's dtype
    mean_ptr,  # address of mean[0]: one for each row
    rstd_ptr,  # address of rstd[0]: 1 / standard deviation
    rows,  # how many rows
    cols,  # how many columns, at most BLOCK
    x_row,  # from a row of x to the next, in elements
    out_row,  # the same for out
    eps,  # what is added to the variance
    ROWS: tl.constexpr,  # rows of this program
    BLOCK: tl.constexpr,  # lanes of a row, a power of two
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    col = tl.arange(0, BLOCK)[None, :]
    real = col < cols
    mask = (row < rows) & real
    place = x_ptr + row.to(tl.int64) * x_row + col
    x = widen(tl.load(place, mask=mask, other=0.0))
    mean = tl.sum(x, axis=1, keep_dims=True) / cols
    away = tl.where(real, x - mean, 0.0)  # padding is 0 again
    variance = tl.sum(away * away, axis=1, keep_dims=True) / cols
    rstd = 1.0 / tl.sqrt(variance + eps)
    # not before here: nothing waits in registers for the sums
    weight = widen(tl.load(weight_ptr + col, mask=real, other=0.0))
    bias = widen(tl.load(bias_ptr + col, mask=real, other=0.0))
    y = away * rstd * weight + bias
    place = out_ptr + row.to(tl.int64) * out_row + col
    tl.store(place, y, mask=mask)
    tl.store(mean_ptr + row, mean, mask=row < rows)
    tl.store(rstd_ptr + row, rstd, mask=row < rows)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def check_columns(name, vector, x):
    check_float(name, vector)
    if vector.dtype != x.dtype or vector.shape != x.shape[-1:]:
        raise ValueError(
            f"{name} is {vector.dtype} {tuple(vector.shape)}, "
            f"x is {x.dtype} {tuple(x.shape)}"
        )
    return vector.contiguous()


def layer_norm(x, weight, bias, eps=1e-5):
    """out, mean and 1 / standard deviation; norm along the last
    dimension of x."""
    weight = check_columns("weight", weight, x)
    bias = check_columns("bias", bias, x)
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    wide = torch.promote_types(x.dtype, torch.float32)
    count = x.shape[:-1].numel()
    stats = torch.empty(2, count, dtype=wide, device=x.device)
    if x.numel() == 0:  # as of a row of zeros
        return out, stats[0].zero_(), stats[1].fill_(eps**-0.5)
    x, y = as_rows("x", x), as_rows("out", out)
    rows, cols = x.shape
    tile, block, warps = tile_of_rows(cols, each=64)
    layer_norm_kernel[(triton.cdiv(rows, tile),)](
        x, weight, bias, y, *stats, rows, cols,
        x.stride(0), y.stride(0), float(eps),
        ROWS=tile, BLOCK=block, num_warps=warps,
    )  # fmt: skip
    return out, *stats
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 15.3.1 five numbers in eight lanes ==")
    # --8<-- [start:demo]
    x = torch.tensor([[8.0, 9.0, 10.0, 11.0, 12.0]], device=DEVICE)
    one, nought = torch.ones_like(x[0]), torch.zeros_like(x[0])
    y, mean, rstd = layer_norm(x, one, nought)
    print(f"mean: {mean.item():.4f}")
    print(f"variance: {rstd.item() ** -2:.4f}")
    print(f"normed: {[round(v, 4) for v in y[0].tolist()]}")

    torch.manual_seed(0)
    x = torch.randn(7, 100).to(DEVICE)
    weight, bias = torch.randn(2, 100).to(DEVICE)
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        args = [t.to(dtype) for t in (x, weight, bias)]
        y, _, _ = layer_norm(*args)
        xd, wd, bd = (t.double() for t in args)
        truth = torch.nn.functional.layer_norm(xd, (100,), wd, bd)
        worst = (y.double() - truth).abs().max().item()
        print(f"{dtype} max abs diff: {worst:.1e}")
    # --8<-- [end:demo]
