"""Trap of 4.1: NumPy counts strides in bytes, a kernel in elements."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 4


# --8<-- [start:kernel]
@triton.jit
def take_kernel(
    x_ptr,  # address of x[0]
    out_ptr,  # address of out[0], of the same dtype
    step,  # elements from one x[i] to the next
    n,  # how many elements to take
    BLOCK: tl.constexpr,  # elements per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets * step, mask=mask)
    tl.store(out_ptr + offsets, x, mask=mask)
# --8<-- [end:kernel]


def take(x: torch.Tensor, step: int) -> torch.Tensor:
    """Read as many elements as the 1-D tensor x has, step apart."""
    if x.ndim != 1:
        raise ValueError(f"x has {x.ndim} axes, wanted 1")
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    n = x.numel()
    out = torch.empty(n, dtype=x.dtype, device=x.device)
    if n == 0:
        return out
    grid = (triton.cdiv(n, BLOCK),)
    take_kernel[grid](x, out, step, n, BLOCK=BLOCK)
    return out


# --8<-- [start:demo]
table = torch.arange(96.0, device=DEVICE).reshape(24, 4)
column = table[:6, 0]  # six numbers, four apart
in_elements = column.stride(0)
in_bytes = table.cpu().numpy()[:6, 0].strides[0]

print(f"the column: {column.tolist()}")
print(f"torch says: {in_elements}")
print(f"numpy says: {in_bytes}")
right = take(column, in_elements)
wrong = take(column, in_bytes)
print(f"taken with torch's stride: {right.tolist()}")
print(f"taken with numpy's stride: {wrong.tolist()}")
# --8<-- [end:demo]
