"""Trap of 3.4: empty_like of a transposed view has the view's
strides, and the kernel writes rows."""

import torch
import triton

from ch03_layout.transpose import tiled_transpose_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
def transpose(x, out):
    rows, columns = x.shape
    grid = (triton.cdiv(rows, 4) * triton.cdiv(columns, 4),)
    tiled_transpose_kernel[grid](x, out, rows, columns, TILE=4)
    return out


x = torch.arange(6, device=DEVICE).reshape(2, 3)
like = torch.empty_like(x.T)
plain = torch.empty(x.T.shape, dtype=x.dtype, device=DEVICE)
for name, out in (("empty_like", like), ("empty", plain)):
    transpose(x, out)
    print(f"{name} strides: {out.stride()}")
    print(f"{name} result: {out.tolist()}")
    print(f"{name} right: {torch.equal(out, x.T)}")
# --8<-- [end:trap]
