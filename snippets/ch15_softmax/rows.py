"""15.1: what the wrappers of this chapter share."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "It launches nothing."
# ///

import torch
import triton
import triton.language as tl

from ch06_contract.silu import check_float

LIMIT = 32768  # the longest row that one block holds


# --8<-- [start:rows]
def as_rows(name, x):
    """x as a matrix of rows whose elements lie side by side."""
    check_float(name, x)
    rows = x.reshape(-1, x.shape[-1])  # a view where strides allow
    return rows if rows.stride(1) == 1 else rows.contiguous()


def sums_in(x):
    """The type that a kernel adds in."""
    return tl.float64 if x.dtype == torch.float64 else tl.float32


def tile_of_rows(cols, each, fill=2048):
    """ROWS, BLOCK and num_warps for rows of cols elements: each
    elements a thread, and short rows share a program."""
    if cols > LIMIT:
        raise ValueError(f"rows of {cols}, more than {LIMIT}")
    block = triton.next_power_of_2(cols)
    rows = max(1, fill // block)
    warps = rows * block // (32 * each)
    return rows, block, min(max(warps, 4), 32)
# --8<-- [end:rows]


if __name__ == "__main__":
    # --8<-- [start:demo]
    for cols in (5, 1000, 1025, 8192, LIMIT, LIMIT + 1):
        try:
            rows, block, warps = tile_of_rows(cols, each=32)
        except ValueError as error:
            print(f"{cols} columns: ValueError: {error}")
            continue
        print(f"{cols} columns: {rows} x {block}, {warps} warps")
    # --8<-- [end:demo]
