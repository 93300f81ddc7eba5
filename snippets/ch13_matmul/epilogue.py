"""13.4.1: bias and GELU while the sums are still in registers."""

# /// capture
# [labels]
# "* error" = { kind = "bound", limit = 2e-3 }
# ///

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

from ch13_matmul.grouped import (
    matmul_grouped,
    tile_at,
    tile_product,
)
from ch13_matmul.naive import check_matrices

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:gelu]
@triton.jit
def gelu(z):
    """The tanh form of chapter 12, 12.3, of a float32 block."""
    # z * sigmoid(2 * u), u the cubic, with exp as a power of two:
    # 2.302... is 2 * sqrt(2 / pi) * log2(e).
    twice_u = 2.302208198 * z * (1.0 + 0.044715 * z * z)
    return z / (1.0 + tl.exp2(-twice_u))
# --8<-- [end:gelu]


# --8<-- [start:kernel]
@triton.jit
def linear_gelu_kernel(
    x_ptr,  # address of x, M x K
    w_ptr,  # address of w, K x N, of x's dtype
    bias_ptr,  # address of bias[0], N elements of x's dtype
    out_ptr,  # address of gelu(x @ w + bias), M x N, row by row
    M,  # rows of x and out
    N,  # columns of w and out
    K,  # columns of x, rows of w
    x_row,  # elements from a row of x to the next
    x_col,  # elements from a column of x to the next
    w_row,  # elements from a row of w to the next
    w_col,  # elements from a column of w to the next
    BLOCK_M: tl.constexpr,  # rows of a tile of out
    BLOCK_N: tl.constexpr,  # columns of a tile of out
    BLOCK_K: tl.constexpr,  # how many terms a step takes
    GROUP: tl.constexpr,  # how many rows of tiles make a group
):
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    i, j = tile_at(tl.program_id(0), tiles_m, tiles_n, GROUP)
    rows = i.to(tl.int64) * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = j.to(tl.int64) * BLOCK_N + tl.arange(0, BLOCK_N)
    acc = tile_product(
        x_ptr, w_ptr, rows, cols, M, N, K, x_row, x_col, w_row, w_col,
        BLOCK_M, BLOCK_N, BLOCK_K,
    )
    bias = tl.load(bias_ptr + cols, mask=cols < N, other=0.0)
    y = gelu(acc + bias.to(tl.float32)[None, :])
    tl.store(
        out_ptr + rows[:, None] * N + cols[None, :],
        y.to(out_ptr.dtype.element_ty),
        mask=(rows[:, None] < M) & (cols[None, :] < N),
    )
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def linear_gelu(x, w, bias, tile=(128, 256, 64), group=8, **options):
    """gelu(x @ w + bias), rounded once."""
    check_matrices(x, w)
    (m, k), n = x.shape, w.shape[1]
    if bias.shape != (n,) or not bias.is_contiguous():
        raise ValueError(
            f"bias must be ({n},) and contiguous, got "
            f"{tuple(bias.shape)}, strides {bias.stride()}"
        )
    if bias.dtype != x.dtype or bias.device != x.device:
        raise TypeError(
            f"bias is {bias.dtype} on {bias.device}, x {x.dtype} "
            f"on {x.device}"
        )
    out = torch.empty(m, n, dtype=x.dtype, device=x.device)
    if out.numel() == 0:
        return out
    options = {"num_warps": 8, "num_stages": 3} | options
    grid = (triton.cdiv(m, tile[0]) * triton.cdiv(n, tile[1]),)
    linear_gelu_kernel[grid](
        x, w, bias, out, m, n, k, *x.stride(), *w.stride(),
        BLOCK_M=tile[0], BLOCK_N=tile[1], BLOCK_K=tile[2],
        GROUP=group, **options,
    )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 13.4.1 bias and GELU in the epilogue ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    tile = (16, 32, 16)
    x = torch.randn(70, 50).half().to(DEVICE)
    w = (torch.randn(50, 90) / 50**0.5).half().to(DEVICE)
    bias = torch.randn(90).half().to(DEVICE)
    exact = x.double() @ w.double() + bias.double()
    exact = F.gelu(exact, approximate="tanh")
    fused = linear_gelu(x, w, bias, tile)
    parts = matmul_grouped(x, w, tile) + bias
    parts = F.gelu(parts, approximate="tanh")
    for name, out in (("fused", fused), ("in three steps", parts)):
        error = (out - exact).abs().max() / exact.abs().max()
        print(f"{name}, error: {error:.1e}")
    for name, out in (("fused", fused), ("in three steps", parts)):
        off = (out != exact.half()).double().mean()
        print(f"{name}, off by a rounding: {100 * off:.0f} in 100")
    # --8<-- [end:demo]
