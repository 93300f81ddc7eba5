"""15.5: LayerNorm with weight and bias loaded before the sums."""

# /// capture
# [labels]
# "max abs diff" = { kind = "bound", limit = 0.1 }
# ///

import torch
import triton
import triton.language as tl

from ch06_contract.silu import widen
from ch15_softmax.layer_norm import layer_norm_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
COLS = 8192


# --8<-- [start:kernel]
@triton.jit
def layer_norm_early_kernel(
    x_ptr,  # all as in layer_norm_kernel
    weight_ptr,
    bias_ptr,
    out_ptr,
    mean_ptr,
    rstd_ptr,
    rows,
    cols,
    x_row,
    out_row,
    eps,
    ROWS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    row = tl.program_id(0) * ROWS + tl.arange(0, ROWS)[:, None]
    col = tl.arange(0, BLOCK)[None, :]
    real = col < cols
    mask = (row < rows) & real
    weight = widen(tl.load(weight_ptr + col, mask=real, other=0.0))
    bias = widen(tl.load(bias_ptr + col, mask=real, other=0.0))
    place = x_ptr + row.to(tl.int64) * x_row + col
    x = widen(tl.load(place, mask=mask, other=0.0))
    mean = tl.sum(x, axis=1, keep_dims=True) / cols
    away = tl.where(real, x - mean, 0.0)
    variance = tl.sum(away * away, axis=1, keep_dims=True) / cols
    rstd = 1.0 / tl.sqrt(variance + eps)
    y = away * rstd * weight + bias
    place = out_ptr + row.to(tl.int64) * out_row + col
    tl.store(place, y, mask=mask)
    tl.store(mean_ptr + row, mean, mask=row < rows)
    tl.store(rstd_ptr + row, rstd, mask=row < rows)
# --8<-- [end:kernel]


# --8<-- [start:launch]
def launch(kernel, x, weight, bias, out, stats, warps):
    """One row a program, whatever the number of warps."""
    rows, cols = x.shape
    return kernel[(rows,)](
        x, weight, bias, out, *stats, rows, cols,
        x.stride(0), out.stride(0), 1e-5,
        ROWS=1, BLOCK=triton.next_power_of_2(cols), num_warps=warps,
    )  # fmt: skip
# --8<-- [end:launch]


if __name__ == "__main__":
    # --8<-- [start:demo]
    torch.manual_seed(0)
    x = torch.randn(16, COLS).to(DEVICE, torch.bfloat16)
    weight, bias = torch.randn(2, COLS).to(DEVICE, torch.bfloat16)
    stats = torch.empty(2, 16, device=DEVICE)
    outs = []
    for kernel in (layer_norm_early_kernel, layer_norm_kernel):
        outs.append(torch.empty_like(x))
        launch(kernel, x, weight, bias, outs[-1], stats, warps=8)
    print(f"max abs diff: {(outs[0] - outs[1]).abs().max().item()}")
    # --8<-- [end:demo]
