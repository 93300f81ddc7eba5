"""14.1.1: a tile summed along each axis, and along both."""
# /// capture
# runners = ["interpreter", "compiler"]
# no_gpu = "its GPU output is section 14.1.1 of ch14_reductions/chapter"
# ///

import torch
import triton
import triton.language as tl

from ch14_reductions.sum_rows import DEVICE, check_rows


# --8<-- [start:kernel]
@triton.jit
def tile_sums_kernel(
    x_ptr,  # address of x[0, 0]; elements of a row lie side by side
    column_ptr,  # one float32 for each column
    row_ptr,  # one float32 for each row
    all_ptr,  # a single float32
    rows,  # rows of x, at most ROWS
    cols,  # columns of x, at most COLS
    x_row,  # elements from one row of x to the next
    ROWS: tl.constexpr,  # rows of the tile
    COLS: tl.constexpr,  # its columns
):
    row = tl.arange(0, ROWS).to(tl.int64)
    col = tl.arange(0, COLS)
    mask = (row < rows)[:, None] & (col < cols)[None, :]
    place = row[:, None] * x_row + col[None, :]
    x = tl.load(x_ptr + place, mask=mask, other=0.0).to(tl.float32)
    tl.store(column_ptr + col, tl.sum(x, axis=0), mask=col < cols)
    tl.store(row_ptr + row, tl.sum(x, axis=1), mask=row < rows)
    tl.store(all_ptr, tl.sum(x))
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def tile_sums(x, most=4096):
    """Sums of columns, of rows, and of all of one small matrix."""
    check_rows(x)
    rows, cols = x.shape
    height = triton.next_power_of_2(max(rows, 1))
    width = triton.next_power_of_2(max(cols, 1))
    if height * width > most:
        raise ValueError(f"{rows} x {cols} does not fit in one tile")
    out = torch.empty(cols + rows + 1, device=x.device)
    columns, sums, all_of_it = out.split([cols, rows, 1])
    tile_sums_kernel[(1,)](
        x, columns, sums, all_of_it, rows, cols, x.stride(0),
        ROWS=height, COLS=width,
    )  # fmt: skip
    return columns, sums, all_of_it[0]
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 14.1.1 a tile and its two axes ==")
    # --8<-- [start:demo]
    x = torch.arange(1.0, 7.0, device=DEVICE).reshape(2, 3)
    columns, sums, all_of_it = tile_sums(x)
    print(f"axis 0: {columns.tolist()}")
    print(f"axis 1: {sums.tolist()}")
    print(f"no axis: {all_of_it.item()}")
    # --8<-- [end:demo]
