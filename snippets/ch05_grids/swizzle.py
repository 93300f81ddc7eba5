"""5.5.2: the same tiles by the same programs, in another order."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SIDE = 16


# --8<-- [start:visit]
@triton.jit
def visit_kernel(
    out_ptr,  # address of out[0, 0], int32: who came to each tile
    tiles_m,  # how many rows of tiles
    tiles_n,  # how many columns of tiles
    GROUP: tl.constexpr,  # how many rows of tiles make a group
):
    pid = tl.program_id(0)
    i, j = pid // tiles_n, pid % tiles_n  # row by row
    i, j = tl.swizzle2d(i, j, tiles_m, tiles_n, GROUP)
    tl.store(out_ptr + i * tiles_n + j, pid)


def visit(tiles_m: int, tiles_n: int, group: int) -> torch.Tensor:
    """Which program takes the tile in row i, column j."""
    if group < 1:
        raise ValueError(f"group is {group}, wanted 1 or more")
    shape = (tiles_m, tiles_n)
    out = torch.full(shape, -1, dtype=torch.int32, device=DEVICE)
    visit_kernel[(out.numel(),)](out, *shape, GROUP=group)
    return out
# --8<-- [end:visit]


# --8<-- [start:tile]
@triton.jit
def double_tile(
    x_ptr,  # address of x[0, 0], float32, rows of cols elements
    out_ptr,  # address of out[0, 0], shaped like x
    tile_i,  # the tile's row among tiles
    tile_j,  # the tile's column among tiles
    rows,  # how many rows x has
    cols,  # how many columns x has
    TILE_M: tl.constexpr,  # rows of a tile
    TILE_N: tl.constexpr,  # columns of a tile
):
    i = tile_i.to(tl.int64) * TILE_M + tl.arange(0, TILE_M)[:, None]
    j = tile_j * TILE_N + tl.arange(0, TILE_N)[None, :]
    mask = (i < rows) & (j < cols)
    x = tl.load(x_ptr + i * cols + j, mask=mask)
    tl.store(out_ptr + i * cols + j, 2 * x, mask=mask)


@triton.jit
def double_kernel(
    x_ptr,  # address of x[0, 0], float32, rows of cols elements
    out_ptr,  # address of out[0, 0], shaped like x
    rows,  # how many rows x has
    cols,  # how many columns x has
    TILE_M: tl.constexpr,  # rows of a tile
    TILE_N: tl.constexpr,  # columns of a tile
    GROUP: tl.constexpr,  # how many rows of tiles make a group
):
    tiles_m = tl.cdiv(rows, TILE_M)
    tiles_n = tl.cdiv(cols, TILE_N)
    pid = tl.program_id(0)
    i, j = pid // tiles_n, pid % tiles_n
    i, j = tl.swizzle2d(i, j, tiles_m, tiles_n, GROUP)
    double_tile(x_ptr, out_ptr, i, j, rows, cols, TILE_M, TILE_N)
# --8<-- [end:tile]


# --8<-- [start:wrapper]
def check_matrix(x: torch.Tensor) -> None:
    if x.dtype != torch.float32:
        raise TypeError(f"x is {x.dtype}, wanted torch.float32")
    if x.ndim != 2 or not x.is_contiguous():
        raise ValueError(
            f"x must be a contiguous matrix: shape "
            f"{tuple(x.shape)}, strides {x.stride()}"
        )


def double(x, tile_m=2, tile_n=2, group=1):
    """2 * x, tile by tile, in groups of that many rows of tiles."""
    check_matrix(x)
    out = torch.empty_like(x)
    rows, cols = x.shape
    tiles = triton.cdiv(rows, tile_m) * triton.cdiv(cols, tile_n)
    double_kernel[(tiles,)](
        x, out, rows, cols, TILE_M=tile_m, TILE_N=tile_n, GROUP=group
    )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 5.5.2 three by four tiles, groups of two rows ==")
    # --8<-- [start:demo]
    for group in (1, 2, 3):
        for number, row in enumerate(visit(3, 4, group)):
            print(f"group {group}, row {number}: {row.tolist()}")
    # --8<-- [end:demo]

    print("== what the first 16 of 256 programs touch ==")
    # --8<-- [start:panels]
    for group in (1, 2, 4, 8, 16):
        first = visit(SIDE, SIDE, group) < SIDE
        row_panels = first.any(dim=1).sum().item()
        col_panels = first.any(dim=0).sum().item()
        print(f"group {group}, rows of tiles: {row_panels}")
        print(f"group {group}, columns of tiles: {col_panels}")
        print(f"group {group}, panels: {row_panels + col_panels}")
    # --8<-- [end:panels]

    print("== what it does not change ==")
    # --8<-- [start:same]
    torch.manual_seed(0)
    x = torch.randn(7, 9).to(DEVICE)
    for group in (1, 2, 3, 100):
        equal = torch.equal(double(x, group=group), 2 * x)
        print(f"group {group}, equal to 2 * x: {equal}")
    # --8<-- [end:same]
