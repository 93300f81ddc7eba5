"""Trap of 4.2: without [:, None] and [None, :] a block is a line."""

# /// capture
# rejects = ["diagonal_kernel"]
# differs = """Both refuse unequal lengths, each with an exception of
# its own."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def diagonal_kernel(
    x_ptr,  # address of a contiguous BLOCK_M x BLOCK_N block
    out_ptr,  # address of the copy, the same shape
    BLOCK_M: tl.constexpr,  # its rows
    BLOCK_N: tl.constexpr,  # its columns
):
    rows = tl.arange(0, BLOCK_M)
    cols = tl.arange(0, BLOCK_N)
    tile = tl.load(x_ptr + rows * BLOCK_N + cols)  # a line
    place = rows[:, None] * BLOCK_N + cols[None, :]
    tl.store(out_ptr + place, tile)
# --8<-- [end:kernel]


# --8<-- [start:demo]
for shape in ((4, 4), (2, 4)):
    print(f"== a block of {shape[0]} x {shape[1]} ==")
    x = torch.arange(float(shape[0] * shape[1]), device=DEVICE)
    x = x.reshape(shape)
    out = torch.full_like(x, -1.0)
    try:
        diagonal_kernel[(1,)](x, out, BLOCK_M=shape[0], BLOCK_N=4)
    except Exception as error:
        cause = error.__cause__ or error
        print(f"raised: {type(error).__name__}")
        print(f"cause: {str(cause).splitlines()[-1].strip()}")
    for number, row in enumerate(out.tolist()):
        print(f"row {number}: {row}")
# --8<-- [end:demo]
