"""4.5.2: blocks that lie beyond the tensor, with zero and NaN as
padding."""

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def peek_kernel(
    x_desc,  # descriptor of blocks BLOCK_M x BLOCK_N
    out_ptr,  # address of one such block, contiguous
    row,  # where the block begins
    col,
    BLOCK_M: tl.constexpr,  # rows of a block
    BLOCK_N: tl.constexpr,  # columns of a block
):
    rows = tl.arange(0, BLOCK_M)[:, None]
    cols = tl.arange(0, BLOCK_N)[None, :]
    block = x_desc.load([row, col])
    tl.store(out_ptr + rows * BLOCK_N + cols, block)


def peek(x, row, col, padding="zero"):
    """The 4 x 4 block of x that begins at (row, col)."""
    desc = TensorDescriptor.from_tensor(x, [4, 4], padding=padding)
    out = torch.empty(4, 4, dtype=x.dtype, device=x.device)
    peek_kernel[(1,)](desc, out, row, col, BLOCK_M=4, BLOCK_N=4)
    return out
# --8<-- [end:kernel]


if __name__ == "__main__":
    print("== 4.5.2 beyond the edge ==")
    # --8<-- [start:demo]
    table = torch.arange(1.0, 49.0, device=DEVICE).reshape(6, 8)
    x = table[1:4, :6]  # 3 x 6, and the table goes on around it
    for padding in ("zero", "nan"):
        for row, col in ((0, 0), (1, 4), (-1, 0)):
            block = peek(x, row, col, padding).tolist()
            print(f"{padding}, block at ({row}, {col}): {block}")
    # --8<-- [end:demo]
