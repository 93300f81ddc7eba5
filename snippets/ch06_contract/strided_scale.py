"""6.2.1: pointer and strides, so that every 2-D view is right."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK_ROWS = 32
BLOCK_COLS = 32


# --8<-- [start:tile]
@triton.jit
def tile_of(
    pid,  # the number of this program
    rows,  # how many rows the matrix has
    cols,  # how many columns
    BLOCK_ROWS: tl.constexpr,  # rows of one tile
    BLOCK_COLS: tl.constexpr,  # columns of one tile
):
    col_tiles = tl.cdiv(cols, BLOCK_COLS)
    row = (pid // col_tiles).to(tl.int64) * BLOCK_ROWS
    col = (pid % col_tiles).to(tl.int64) * BLOCK_COLS
    row = row + tl.arange(0, BLOCK_ROWS)[:, None]
    col = col + tl.arange(0, BLOCK_COLS)[None, :]
    return row, col, (row < rows) & (col < cols)
# --8<-- [end:tile]


# --8<-- [start:kernel]
@triton.jit
def scale_kernel(
    x_ptr,  # address of x[0, 0]
    out_ptr,  # address of out[0, 0]
    factor,  # a float
    rows,  # how many rows both have
    cols,  # how many columns
    x_row,  # elements from x[i, j] to x[i + 1, j]
    x_col,  # elements from x[i, j] to x[i, j + 1]
    out_row,  # the same two for out
    out_col,
    BLOCK_ROWS: tl.constexpr,  # rows of a program's tile
    BLOCK_COLS: tl.constexpr,  # columns of it
):
    pid = tl.program_id(0)
    row, col, mask = tile_of(pid, rows, cols, BLOCK_ROWS, BLOCK_COLS)
    x = tl.load(x_ptr + row * x_row + col * x_col, mask=mask)
    out = out_ptr + row * out_row + col * out_col
    tl.store(out, x * factor, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def launch_scale(x, x_strides, out, out_strides, factor, block):
    """Launch scale_kernel with the strides that it is given."""
    rows, cols = x.shape
    tiles = triton.cdiv(rows, block[0]) * triton.cdiv(cols, block[1])
    if tiles == 0:
        return
    scale_kernel[(tiles,)](
        x, out, float(factor), rows, cols, *x_strides, *out_strides,
        BLOCK_ROWS=block[0], BLOCK_COLS=block[1],
    )  # fmt: skip


def scale(x, factor, block=(BLOCK_ROWS, BLOCK_COLS)):
    """factor * x for any float32 matrix, whatever its strides."""
    if x.dim() != 2:
        raise ValueError(f"x has shape {tuple(x.shape)}, wanted 2-D")
    if x.dtype != torch.float32:
        raise TypeError(f"x is {x.dtype}, wanted torch.float32")
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    launch_scale(x, x.stride(), out, out.stride(), factor, block)
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 6.2.1 one kernel, any view ==")
    # --8<-- [start:demo]
    x = torch.arange(12.0, device=DEVICE).reshape(3, 4)
    views = {
        "x": x,
        "transposed": x.T,
        "every second column": x[:, ::2],
        "a corner": x[1:, 2:],
        "a column, expanded": x[:, 1:2].expand(3, 4),
        "a diagonal": x.as_strided((1, 3), (0, 5)),
        "windows": x.flatten().unfold(0, 3, 1),
    }
    for name, view in views.items():
        out = scale(view, 2.0, block=(2, 2))
        print(f"{name} strides: {view.stride()}")
        print(f"{name} right: {torch.equal(out, 2 * view)}")
    # --8<-- [end:demo]
