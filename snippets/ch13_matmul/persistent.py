"""13.5.2: as many programs as multiprocessors, each with a list of
tiles; the next tile's loads start while the last one is stored."""

# /// capture
# [labels]
# "* error" = { kind = "bound", limit = 2e-3 }
# ///

import torch
import triton
import triton.language as tl

from ch13_matmul.descriptors import describe, descriptor_product
from ch13_matmul.grouped import tile_at
from ch13_matmul.naive import check_matrices

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:store]
@triton.jit
def store_parts(
    out_desc,  # descriptor of out, COLS / PARTS columns a block
    row,  # the tile's first row
    col,  # the tile's first column
    acc,  # the tile, ROWS x COLS
    ROWS: tl.constexpr,  # rows of the tile
    COLS: tl.constexpr,  # columns of the tile
    PARTS: tl.constexpr,  # 1 or 2: pieces, side by side
):
    if PARTS == 1:
        out_desc.store([row, col], acc.to(out_desc.dtype))
    else:
        halves = tl.reshape(acc, (ROWS, 2, COLS // 2))
        left, right = tl.split(tl.permute(halves, (0, 2, 1)))
        out_desc.store([row, col], left.to(out_desc.dtype))
        half = col + COLS // 2
        out_desc.store([row, half], right.to(out_desc.dtype))
# --8<-- [end:store]


# --8<-- [start:kernel]
@triton.jit
def persistent_kernel(
    a_desc,  # descriptor of a, in blocks of BLOCK_M x BLOCK_K
    b_desc,  # of b, BLOCK_K x BLOCK_N, or, by columns, of b.T
    out_desc,  # of a @ b, BLOCK_M x (BLOCK_N / PARTS)
    M,  # rows of a and out
    N,  # columns of b and out
    K,  # columns of a, rows of b
    BLOCK_M: tl.constexpr,  # rows of a tile of out
    BLOCK_N: tl.constexpr,  # columns of a tile of out
    BLOCK_K: tl.constexpr,  # how many terms a step takes
    GROUP: tl.constexpr,  # how many rows of tiles make a group
    B_COLS: tl.constexpr,  # whether b lies column by column
    PARTS: tl.constexpr,  # in how many pieces a tile is stored
    FLATTEN: tl.constexpr,  # whether the two loops become one
):
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    for number in tl.range(
        tl.program_id(0), tiles_m * tiles_n, tl.num_programs(0),
        flatten=FLATTEN,
    ):
        i, j = tile_at(number, tiles_m, tiles_n, GROUP)
        row, col = i * BLOCK_M, j * BLOCK_N
        acc = descriptor_product(
            a_desc, b_desc, row, col, K,
            BLOCK_M, BLOCK_N, BLOCK_K, B_COLS,
        )
        store_parts(out_desc, row, col, acc, BLOCK_M, BLOCK_N, PARTS)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def multiprocessors() -> int:
    """How many programs run at once, one on each."""
    if DEVICE == "cpu":
        return 4  # the interpreter has none
    return torch.cuda.get_device_properties().multi_processor_count


def launch_persistent(
    a, b, out, tile=(128, 256, 64), group=8, parts=2, flatten=True,
    **options,
):
    """out = a @ b, where TMA can read a and b, and write out."""
    (m, k), n = a.shape, b.shape[1]
    descriptors, b_cols = describe(a, b, out, tile, tile[1] // parts)
    options = {"num_warps": 8, "num_stages": 4} | options
    tiles = triton.cdiv(m, tile[0]) * triton.cdiv(n, tile[1])
    persistent_kernel[(min(tiles, multiprocessors()),)](
        *descriptors, m, n, k,
        BLOCK_M=tile[0], BLOCK_N=tile[1], BLOCK_K=tile[2],
        GROUP=group, B_COLS=b_cols, PARTS=parts, FLATTEN=flatten,
        **options,
    )


def matmul_persistent(a, b, *args, **options):
    """a @ b, where TMA can read a and b, and write the product."""
    check_matrices(a, b)
    (m, k), n = a.shape, b.shape[1]
    out = torch.empty(m, n, dtype=a.dtype, device=a.device)
    if k == 0:
        return out.zero_()
    if out.numel() > 0:
        launch_persistent(a, b, out, *args, **options)
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 13.5.2 a few programs, many tiles ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    tile = (64, 32, 16)
    a = torch.randn(200, 48).half().to(DEVICE)
    b = torch.randn(48, 88).half().to(DEVICE)
    exact = a.double() @ b.double()
    for parts in (1, 2):
        out = matmul_persistent(a, b, tile, parts=parts)
        error = (out - exact).abs().max() / exact.abs().max()
        print(f"stored in {parts}, error: {error:.1e}")
    # --8<-- [end:demo]
