"""5.1.2: a grid of two axes, and one mask for two edges."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def visits_kernel(
    out_ptr,  # address of out[0, 0], int32, rows of cols elements
    rows,  # how many rows out has
    cols,  # how many columns
    TILE_M: tl.constexpr,  # rows of one program's tile
    TILE_N: tl.constexpr,  # columns of it
    FLAT: tl.constexpr,  # True: the mask of the trap
):
    first_i = tl.program_id(0).to(tl.int64) * TILE_M
    first_j = tl.program_id(1).to(tl.int64) * TILE_N
    i = first_i + tl.arange(0, TILE_M)[:, None]
    j = first_j + tl.arange(0, TILE_N)[None, :]
    offsets = i * cols + j
    if FLAT:
        mask = offsets < rows * cols
    else:
        mask = (i < rows) & (j < cols)
    tl.atomic_add(out_ptr + offsets, 1, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def visits(rows, cols, tile_m=2, tile_n=2, flat=False):
    """How often each element of a matrix is written."""
    if rows < 0 or cols < 0:
        raise ValueError(f"{rows} rows, {cols} columns: not a shape")
    out = torch.zeros(rows, cols, dtype=torch.int32, device=DEVICE)
    grid = (triton.cdiv(rows, tile_m), triton.cdiv(cols, tile_n))
    visits_kernel[grid](
        out, rows, cols, TILE_M=tile_m, TILE_N=tile_n, FLAT=flat
    )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 5.1.2 three rows, five columns, tiles of 2 x 2 ==")
    # --8<-- [start:demo]
    print(f"grid: {(triton.cdiv(3, 2), triton.cdiv(5, 2))}")
    for title, flat in [("two edges", False), ("flat", True)]:
        for number, row in enumerate(visits(3, 5, flat=flat)):
            print(f"{title}, row {number}: {row.tolist()}")
    # --8<-- [end:demo]
