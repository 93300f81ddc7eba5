"""14.2: the sum of every row, of any length, with a tile of lanes."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
TILE = 4096  # elements of a tile: 8 for each of 512 threads
FLOATS = (torch.float16, torch.bfloat16, torch.float32)


# --8<-- [start:kernel]
@triton.jit
def sum_rows_kernel(
    x_ptr,  # address of x[0, 0]; elements of a row lie side by side
    out_ptr,  # one float32 for each row
    rows,  # rows of x
    cols,  # elements of a row
    x_row,  # elements from one row of x to the next
    ROWS: tl.constexpr,  # rows of one program, a power of two
    COLS: tl.constexpr,  # elements read of each at a time, too
    EVICT: tl.constexpr,  # "evict_first": nobody reads x again
):
    row = tl.program_id(0).to(tl.int64) * ROWS + tl.arange(0, ROWS)
    lane = tl.arange(0, COLS)
    total = tl.zeros((ROWS, COLS), dtype=tl.float32)
    for start in range(0, cols, COLS):
        col = start + lane
        mask = (row < rows)[:, None] & (col < cols)[None, :]
        place = row[:, None] * x_row + col[None, :]
        x = tl.load(
            x_ptr + place, mask=mask, other=0.0, eviction_policy=EVICT
        )
        total += x.to(tl.float32)
    tl.store(out_ptr + row, tl.sum(total, axis=1), mask=row < rows)
# --8<-- [end:kernel]


# --8<-- [start:check]
def check_rows(x: torch.Tensor) -> None:
    if x.dtype not in FLOATS:
        raise TypeError(f"x is {x.dtype}, wanted one of {FLOATS}")
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    if x.dim() != 2 or (x.stride(1) != 1 and x.shape[1] > 1):
        raise ValueError(
            f"x must be 2-D, its rows without gaps: shape "
            f"{tuple(x.shape)}, strides {x.stride()}"
        )
# --8<-- [end:check]


# --8<-- [start:wrapper]
def sum_rows(x, tile=None, num_warps=16, evict="evict_first"):
    """The sum of each row in float32, whatever float x holds."""
    check_rows(x)
    rows, cols = x.shape
    out = torch.empty(rows, dtype=torch.float32, device=x.device)
    if rows > 0:
        widest = triton.next_power_of_2(max(cols, 1))
        width = min(widest, tile[1] if tile else TILE)
        height = tile[0] if tile else TILE // width
        sum_rows_kernel[(triton.cdiv(rows, height),)](
            x, out, rows, cols, x.stride(0), ROWS=height,
            COLS=width, EVICT=evict, num_warps=num_warps,
        )  # fmt: skip
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 14.2.1 rows of ten, four lanes ==")
    # --8<-- [start:demo]
    x = torch.arange(1.0, 31.0, device=DEVICE).reshape(3, 10)
    print(f"tile 2 x 4: {sum_rows(x, tile=(2, 4)).tolist()}")
    print(f"torch: {x.sum(1).tolist()}")
    left = x[:, :7]  # a view: 7 of 10 elements in each row
    print(f"a view: {sum_rows(left, tile=(2, 4)).tolist()}")
    print(f"rows without elements: {sum_rows(x[:, :0]).tolist()}")
    # --8<-- [end:demo]
