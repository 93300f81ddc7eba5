"""13.3.1: tiles of a @ b in groups, with pointers and masks: any
size, any strides."""

# /// capture
# [labels]
# "* error" = { kind = "bound", limit = 2e-3 }
# ///

import torch
import triton
import triton.language as tl

from ch13_matmul.naive import check_matrices, matmul_elements

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:order]
@triton.jit
def tile_at(
    number,  # which tile, counted in the order of the groups
    tiles_m,  # how many rows of tiles
    tiles_n,  # how many columns of tiles
    GROUP: tl.constexpr,  # how many rows of tiles make a group
):
    i, j = number // tiles_n, number % tiles_n
    return tl.swizzle2d(i, j, tiles_m, tiles_n, GROUP)
# --8<-- [end:order]


# --8<-- [start:product]
@triton.jit
def tile_product(
    a_ptr,  # address of a, M x K
    b_ptr,  # address of b, K x N
    rows,  # the tile's rows of a, int64
    cols,  # the tile's columns of b, int64
    M,  # rows of a
    N,  # columns of b
    K,  # columns of a, rows of b
    a_row,  # elements from a row of a to the next
    a_col,  # elements from a column of a to the next
    b_row,  # elements from a row of b to the next
    b_col,  # elements from a column of b to the next
    BLOCK_M: tl.constexpr,  # how many rows
    BLOCK_N: tl.constexpr,  # how many columns
    BLOCK_K: tl.constexpr,  # how many terms a step takes
):
    k = tl.arange(0, BLOCK_K)
    # Rows and columns that do not exist become some that do; what
    # they compute is never stored. So no mask for them in the loop.
    a_ptrs = a_ptr + (rows % M)[:, None] * a_row + k[None, :] * a_col
    b_ptrs = b_ptr + k[:, None] * b_row + (cols % N)[None, :] * b_col
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        left = K - start  # terms that are still to come
        a = tl.load(a_ptrs, mask=k[None, :] < left, other=0.0)
        b = tl.load(b_ptrs, mask=k[:, None] < left, other=0.0)
        acc = tl.dot(a, b, acc)
        a_ptrs += BLOCK_K * a_col
        b_ptrs += BLOCK_K * b_row
    return acc
# --8<-- [end:product]


# --8<-- [start:kernel]
@triton.jit
def grouped_kernel(
    a_ptr,  # address of a, M x K
    b_ptr,  # address of b, K x N, of a's dtype
    out_ptr,  # address of a @ b, M x N, row by row
    M,  # rows of a and out
    N,  # columns of b and out
    K,  # columns of a, rows of b
    a_row,  # elements from a row of a to the next
    a_col,  # elements from a column of a to the next
    b_row,  # elements from a row of b to the next
    b_col,  # elements from a column of b to the next
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
        a_ptr, b_ptr, rows, cols, M, N, K, a_row, a_col, b_row, b_col,
        BLOCK_M, BLOCK_N, BLOCK_K,
    )
    tl.store(
        out_ptr + rows[:, None] * N + cols[None, :],
        acc.to(out_ptr.dtype.element_ty),
        mask=(rows[:, None] < M) & (cols[None, :] < N),
    )
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def matmul_grouped(a, b, tile=(128, 256, 64), group=8, **options):
    """a @ b, whatever the sizes and the strides."""
    check_matrices(a, b)
    (m, k), n = a.shape, b.shape[1]
    out = torch.empty(m, n, dtype=a.dtype, device=a.device)
    if out.numel() == 0:
        return out
    options = {"num_warps": 8, "num_stages": 3} | options
    grid = (triton.cdiv(m, tile[0]) * triton.cdiv(n, tile[1]),)
    grouped_kernel[grid](
        a, b, out, m, n, k, *a.stride(), *b.stride(),
        BLOCK_M=tile[0], BLOCK_N=tile[1], BLOCK_K=tile[2],
        GROUP=group, **options,
    )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 13.3.1 tiles in groups ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    a = torch.randn(70, 50).half().to(DEVICE)
    b = torch.randn(50, 90).half().to(DEVICE)
    exact = a.double() @ b.double()
    for group in (1, 2, 8):
        out = matmul_grouped(a, b, (16, 32, 16), group)
        error = (out - exact).abs().max() / exact.abs().max()
        print(f"groups of {group}, error: {error:.1e}")
    for name, left, right in (
        ("a by columns", a.T.contiguous().T, b),
        ("b by columns", a, b.T.contiguous().T),
        ("every other row of a", a[::2], b),
    ):
        out = matmul_grouped(left, right, (16, 32, 16))
        error = (out - left.double() @ right.double()).abs().max()
        print(f"{name}, error: {error / exact.abs().max():.1e}")
    print("no rows:", tuple(matmul_grouped(a[:0], b).shape))
    zeros = matmul_grouped(a[:, :0], b[:0])
    print("no terms, all zero:", bool((zeros == 0).all()))
    # --8<-- [end:demo]
