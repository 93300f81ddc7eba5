"""The nearest thing to a struct in a kernel: a named tuple of the
host, which the launch takes apart into its elements."""

from typing import NamedTuple

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
class Vector(NamedTuple):
    ptr: torch.Tensor  # n floats, contiguous
    n: int  # number of elements


@triton.jit
def double_kernel(
    x,  # Vector to read
    out,  # Vector to write, of the same n
    BLOCK: tl.constexpr,  # lanes of one program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < x.n
    values = tl.load(x.ptr + offsets, mask=mask)
    tl.store(out.ptr + offsets, values * 2.0, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:demo]
n = 5
x = torch.arange(n, dtype=torch.float32, device=DEVICE)
out = torch.empty_like(x)
grid = (triton.cdiv(n, 4),)
double_kernel[grid](Vector(x, n), Vector(out, n), BLOCK=4)
print("out:", out.tolist())
# --8<-- [end:demo]
