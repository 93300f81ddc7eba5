"""15.4.1: RMSNorm of each row, with what its backward needs."""

# /// capture
# [labels]
# "* max abs diff" = { kind = "bound", limit = 5e-2 }
# ///

import torch
import triton
import triton.language as tl

from ch06_contract.silu import widen
from ch15_softmax.layer_norm import check_columns
from ch15_softmax.rows import as_rows, tile_of_rows

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def rms_norm_kernel(
    x_ptr,  # address of x[0, 0], a float of any width
    weight_ptr,  # address of weight[0]: one for each column
    out_ptr,  # address of out[0, 0], of x's dtype
    rstd_ptr,  # address of rstd[0]: 1 / root of the mean square
    rows,  # how many rows
    cols,  # how many columns, at most BLOCK
    x_row,  # from a row of x to the next, in elements
    out_row,  # the same for out
    eps,  # what is added to the mean square
    ROWS: tl.constexpr,  # rows of this program
    BLOCK: tl.constexpr,  # lanes of a row, a power of two
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    col = tl.arange(0, BLOCK)[None, :]
    real = col < cols
    mask = (row < rows) & real
    place = x_ptr + row.to(tl.int64) * x_row + col
    x = widen(tl.load(place, mask=mask, other=0.0))
    square = tl.sum(x * x, axis=1, keep_dims=True) / cols
    rstd = 1.0 / tl.sqrt(square + eps)
    weight = widen(tl.load(weight_ptr + col, mask=real, other=0.0))
    place = out_ptr + row.to(tl.int64) * out_row + col
    tl.store(place, x * rstd * weight, mask=mask)
    tl.store(rstd_ptr + row, rstd, mask=row < rows)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def rms_norm(x, weight, eps=1e-5):
    """out and 1 / root of the mean square; along the last
    dimension of x."""
    weight = check_columns("weight", weight, x)
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    wide = torch.promote_types(x.dtype, torch.float32)
    count = x.shape[:-1].numel()
    rstd = torch.empty(count, dtype=wide, device=x.device)
    if x.numel() == 0:
        return out, rstd.fill_(eps**-0.5)  # as of a row of zeros
    x, y = as_rows("x", x), as_rows("out", out)
    rows, cols = x.shape
    tile, block, warps = tile_of_rows(cols, each=64)
    rms_norm_kernel[(triton.cdiv(rows, tile),)](
        x, weight, y, rstd, rows, cols,
        x.stride(0), y.stride(0), float(eps),
        ROWS=tile, BLOCK=block, num_warps=warps,
    )  # fmt: skip
    return out, rstd
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 15.4.1 four numbers ==")
    # --8<-- [start:demo]
    x = torch.tensor([[1.0, -5.0, 5.0, 7.0]], device=DEVICE)
    y, rstd = rms_norm(x, torch.ones_like(x[0]))
    print(f"1 / root of the mean square: {rstd.item():.4f}")
    print(f"normed: {[round(v, 4) for v in y[0].tolist()]}")

    torch.manual_seed(0)
    x = torch.randn(7, 100).to(DEVICE)
    weight = torch.randn(100).to(DEVICE)
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        args = [t.to(dtype) for t in (x, weight)]
        y, _ = rms_norm(*args)
        xd, wd = (t.double() for t in args)
        truth = torch.nn.functional.rms_norm(xd, (100,), wd, 1e-5)
        worst = (y.double() - truth).abs().max().item()
        print(f"{dtype} max abs diff: {worst:.1e}")
    # --8<-- [end:demo]
