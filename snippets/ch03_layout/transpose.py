"""3.4.1: a matrix transposed row by row, and tile by tile."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024
TILE = 64


# --8<-- [start:naive]
@triton.jit
def naive_transpose_kernel(
    x_ptr,  # address of x[0, 0], rows one behind the other
    out_ptr,  # address of out[0, 0], columns x rows, likewise
    rows,  # rows of x
    columns,  # columns of x
    BLOCK: tl.constexpr,  # elements of a row per program
):
    across = tl.cdiv(columns, BLOCK)  # programs in a row
    row = (tl.program_id(0) // across).to(tl.int64)
    first = (tl.program_id(0) % across).to(tl.int64) * BLOCK
    column = first + tl.arange(0, BLOCK)
    mask = column < columns
    x = tl.load(x_ptr + row * columns + column, mask=mask)
    tl.store(out_ptr + column * rows + row, x, mask=mask)
# --8<-- [end:naive]


# --8<-- [start:tiled]
@triton.jit
def tiled_transpose_kernel(
    x_ptr,  # address of x[0, 0], rows one behind the other
    out_ptr,  # address of out[0, 0], columns x rows, likewise
    rows,  # rows of x
    columns,  # columns of x
    TILE: tl.constexpr,  # side of the square that a program moves
):
    across = tl.cdiv(columns, TILE)  # programs in a row of tiles
    down = (tl.program_id(0) // across).to(tl.int64) * TILE
    right = (tl.program_id(0) % across).to(tl.int64) * TILE
    row = down + tl.arange(0, TILE)
    column = right + tl.arange(0, TILE)
    mask = (row < rows)[:, None] & (column < columns)[None, :]
    x = tl.load(
        x_ptr + row[:, None] * columns + column[None, :], mask=mask
    )
    tl.store(
        out_ptr + column[:, None] * rows + row[None, :],
        tl.trans(x),
        mask=tl.trans(mask),
    )
# --8<-- [end:tiled]


# --8<-- [start:wrappers]
def transposed_like(x: torch.Tensor) -> torch.Tensor:
    """Check x, and make room for its transpose."""
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    if x.dim() != 2 or not x.is_contiguous():
        raise ValueError(
            f"x must be a contiguous matrix: shape "
            f"{tuple(x.shape)}, strides {x.stride()}"
        )
    rows, columns = x.shape
    return torch.empty(columns, rows, dtype=x.dtype, device=x.device)


def naive_transpose(x, block=BLOCK):
    out = transposed_like(x)
    if x.numel() == 0:
        return out
    rows, columns = x.shape
    grid = (rows * triton.cdiv(columns, block),)
    naive_transpose_kernel[grid](x, out, rows, columns, BLOCK=block)
    return out


def tiled_transpose(x, tile=TILE):
    out = transposed_like(x)
    if x.numel() == 0:
        return out
    rows, columns = x.shape
    grid = (triton.cdiv(rows, tile) * triton.cdiv(columns, tile),)
    tiled_transpose_kernel[grid](x, out, rows, columns, TILE=tile)
    return out
# --8<-- [end:wrappers]


if __name__ == "__main__":
    print("== 3.4.1 a transpose in rows and in tiles ==")
    # --8<-- [start:demo]
    x = torch.arange(6, device=DEVICE).reshape(2, 3)
    print(f"x: {x.tolist()}")
    print(f"naive: {naive_transpose(x, block=4).tolist()}")
    print(f"tiled: {tiled_transpose(x, tile=4).tolist()}")

    for rows, columns in ((128, 64), (65, 127)):
        x = torch.randn(rows, columns).to(DEVICE)
        naive = torch.equal(naive_transpose(x), x.T)
        tiled = torch.equal(tiled_transpose(x), x.T)
        print(f"{rows} x {columns}, naive right: {naive}")
        print(f"{rows} x {columns}, tiled right: {tiled}")
    # --8<-- [end:demo]
