"""8.4.1: column sums of a tall matrix, split over scratch."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS = 16  # rows that a program reads at a time
COLS = 64  # columns of a program


# --8<-- [start:kernel]
@triton.jit
def column_sums_kernel(
    x_ptr,  # address of x[0, 0], float32, contiguous
    out_ptr,  # out[s, j]: sum of part s of column j, float32
    rows,  # rows of x
    cols,  # columns of x, and of out
    part,  # rows in one part
    ROWS: tl.constexpr,  # rows read at a time
    COLS: tl.constexpr,  # columns of this program
):
    split = tl.program_id(1)
    begin = split.to(tl.int64) * part
    col = tl.program_id(0) * COLS + tl.arange(0, COLS)
    acc = tl.zeros((ROWS, COLS), dtype=tl.float32)
    for start in range(0, part, ROWS):
        inside = start + tl.arange(0, ROWS)
        row = begin + inside
        good = (inside < part) & (row < rows)
        mask = good[:, None] & (col < cols)[None, :]
        place = row[:, None] * cols + col[None, :]
        acc += tl.load(x_ptr + place, mask=mask, other=0.0)
    place = split.to(tl.int64) * cols + col
    tl.store(out_ptr + place, tl.sum(acc, axis=0), mask=col < cols)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def check_matrix(x: torch.Tensor) -> None:
    if x.dim() != 2 or not x.is_contiguous():
        raise ValueError(
            f"x must be a contiguous matrix: shape {tuple(x.shape)}, "
            f"strides {x.stride()}"
        )
    if x.dtype != torch.float32:
        raise TypeError(f"x is {x.dtype}, wanted torch.float32")
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")


def partial_sums(x, scratch):
    """scratch[s] = the column sums of part s of x's rows."""
    rows, cols = x.shape
    splits = scratch.shape[0]
    column_sums_kernel[(triton.cdiv(cols, COLS), splits)](
        x, scratch, rows, cols, triton.cdiv(rows, splits),
        ROWS=ROWS, COLS=COLS,
    )  # fmt: skip


def column_sums(x: torch.Tensor, splits: int = 64) -> torch.Tensor:
    check_matrix(x)
    rows, cols = x.shape
    if rows == 0 or cols == 0:
        return x.new_zeros(cols)
    most = min(triton.cdiv(rows, ROWS), 65535)  # of a grid's axis 1
    splits = max(1, min(splits, most))
    out = x.new_empty(1, cols)
    if splits == 1:
        partial_sums(x, out)
    else:
        scratch = x.new_empty(splits, cols)
        partial_sums(x, scratch)
        partial_sums(scratch, out)  # the same kernel, one part
    return out[0]
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 8.4.1 column sums, in parts ==")
    # --8<-- [start:demo]
    x = torch.arange(1.0, 121.0, device=DEVICE).reshape(40, 3)
    scratch = x.new_empty(3, 3)
    partial_sums(x, scratch)
    for number, row in enumerate(scratch):
        print(f"part {number}: {row.tolist()}")
    print(f"column sums: {column_sums(x, splits=3).tolist()}")
    print(f"torch: {x.sum(0).tolist()}")
    # --8<-- [end:demo]
