"""4.4.1: row * stride, where row and stride fit in 32 bits and their
product does not. Only offsets are computed; nothing is read."""

# /// capture
# ptx = ["row_offset_kernel()"]
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def row_offset_kernel(
    byte_ptr,  # some address of int8: one element is one byte
    out_ptr,  # address of four results, int64
    row,  # which row
    col,  # which column
    stride,  # elements from row to row
):
    narrow = row * stride
    wide = row.to(tl.int64) * stride
    together = byte_ptr + (row * stride + col)
    one_by_one = byte_ptr + row * stride + col
    begin = byte_ptr.to(tl.int64)
    tl.store(out_ptr, narrow)
    tl.store(out_ptr + 1, wide)
    tl.store(out_ptr + 2, together.to(tl.int64) - begin)
    tl.store(out_ptr + 3, one_by_one.to(tl.int64) - begin)
# --8<-- [end:kernel]


if __name__ == "__main__":
    # --8<-- [start:demo]
    some = torch.zeros(1, dtype=torch.int8, device=DEVICE)
    out = torch.empty(4, dtype=torch.int64, device=DEVICE)
    for title, row, col, stride in (
        ("small", 3, 2, 1000),
        ("a product of 2**31", 2**16, 2, 2**15),
        ("a sum above 2**31", 3, 500_000_000, 600_000_000),
        ("a stride of 2**31", 3, 2, 2**31),
    ):
        print(f"== 4.4.1 {title} ==")
        row_offset_kernel[(1,)](some, out, row, col, stride)
        narrow, wide, together, one_by_one = out.tolist()
        print(f"row * stride: {row} * {stride}")
        print(f"as it is: {narrow}")
        print(f"with row.to(tl.int64): {wide}")
        print(f"col: {col}")
        print(f"ptr + (row * stride + col): {together}")
        print(f"ptr + row * stride + col: {one_by_one}")
    # --8<-- [end:demo]
