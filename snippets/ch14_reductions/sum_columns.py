"""14.4: column sums in two passes, each with a tile of its own."""

import torch
import triton
import triton.language as tl

from ch14_reductions.sum_all import check_floats, launches_overlap
from ch14_reductions.sum_rows import DEVICE

FIRST = (4, 1024)  # rows and columns of a tile, first pass
SECOND = (32, 32)  # the same, second pass


# --8<-- [start:kernel]
@triton.jit
def sum_columns_kernel(
    x_ptr,  # address of x[0, 0], contiguous
    out_ptr,  # out[s, j]: sum of part s of column j, float32
    rows,  # rows of x
    cols,  # columns of x, and of out
    length,  # rows in one part
    ROWS: tl.constexpr,  # rows read at a time
    COLS: tl.constexpr,  # columns of this program
    STAGES: tl.constexpr,  # turns whose loads are under way at once
    EVICT: tl.constexpr,  # "evict_first": nobody reads x again
    OVERLAP: tl.constexpr,  # "first" or "second" of two launches
):
    if OVERLAP == "first":
        tl.extra.cuda.gdc_launch_dependents()
    if OVERLAP == "second":
        tl.extra.cuda.gdc_wait()
    part = tl.program_id(1).to(tl.int64)
    begin = part * length
    left = tl.minimum(length, rows - begin)  # rows of this part
    col = tl.program_id(0) * COLS + tl.arange(0, COLS)
    lane = tl.arange(0, ROWS)
    row = begin + lane
    x_ptrs = x_ptr + row[:, None] * cols + col[None, :]
    jump = tl.full((), ROWS, tl.int64) * cols
    total = tl.zeros((ROWS, COLS), dtype=tl.float32)
    for start in tl.range(0, length, ROWS, num_stages=STAGES):
        mask = (start + lane < left)[:, None] & (col < cols)[None, :]
        x = tl.load(
            x_ptrs, mask=mask, other=0.0, eviction_policy=EVICT
        )
        total += x.to(tl.float32)
        x_ptrs += jump
    place = part * cols + col
    tl.store(out_ptr + place, tl.sum(total, axis=0), mask=col < cols)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def launch(x, out, tile, stages, evict, overlap):
    """out[s] = the column sums of part s of x's rows."""
    rows, cols = x.shape
    parts = out.shape[0]
    how = {"launch_pdl": True} if overlap == "second" else {}
    sum_columns_kernel[(triton.cdiv(cols, tile[1]), parts)](
        x, out, rows, cols, triton.cdiv(rows, parts), ROWS=tile[0],
        COLS=tile[1], STAGES=stages, EVICT=evict, OVERLAP=overlap,
        **how,
    )  # fmt: skip


def sum_columns(
    x, parts=32, first=FIRST, second=SECOND, stages=5, overlap=None
):
    """The sum of each column in float32."""
    check_floats(x)
    if x.dim() != 2:
        raise ValueError(f"x must be 2-D: shape {tuple(x.shape)}")
    rows, cols = x.shape
    out = torch.empty(1, cols, dtype=torch.float32, device=x.device)
    if x.numel() == 0:
        return out.zero_()[0]
    parts = max(1, min(parts, triton.cdiv(rows, first[0]), 65535))
    if parts == 1:
        launch(x, out, first, stages, "evict_first", "")
        return out[0]
    overlap = launches_overlap() if overlap is None else overlap
    one, two = ("first", "second") if overlap else ("", "")
    scratch = out.new_empty(parts, cols)
    launch(x, scratch, first, stages, "evict_first", one)
    launch(scratch, out, second, 1, "", two)
    return out[0]
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 14.4.3 columns of a bfloat16 matrix ==")
    # --8<-- [start:demo]
    x = torch.arange(300.0).reshape(100, 3).to(torch.bfloat16)
    x = x.to(DEVICE)
    sums = sum_columns(x, parts=3, first=(8, 4), second=(2, 4))
    print(f"in three parts: {sums.tolist()}")
    print(f"torch, float32: {x.sum(0, dtype=torch.float32).tolist()}")
    print(f"torch: {x.sum(0).tolist()}")
    # --8<-- [end:demo]
