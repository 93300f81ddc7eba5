"""3.5: the same length as a run-time value and as a constexpr."""

import torch
import triton
import triton.language as tl

from ch03_layout.views import copy_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024


# --8<-- [start:kernel]
@triton.jit
def known_copy_kernel(
    x_ptr,  # address of x[0]
    out_ptr,  # address of out[0], of the same dtype
    N: tl.constexpr,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < N
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x, mask=mask)
# --8<-- [end:kernel]


if __name__ == "__main__":
    # --8<-- [start:demo]
    x = torch.randn(1001).to(DEVICE)
    for n in (1000, 1001):
        grid = (triton.cdiv(n, BLOCK),)
        out = torch.zeros(n, device=DEVICE)
        copy_kernel[grid](x, out, n, BLOCK=BLOCK)
        print(f"n = {n} at run time: {torch.equal(out, x[:n])}")
        out = torch.zeros(n, device=DEVICE)
        known_copy_kernel[grid](x, out, N=n, BLOCK=BLOCK)
        print(f"n = {n} as a constexpr: {torch.equal(out, x[:n])}")
    # --8<-- [end:demo]
