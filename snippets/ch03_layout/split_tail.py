"""3.5: full blocks without a mask, and a mask for the last one only."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024


# --8<-- [start:kernel]
@triton.jit
def split_copy_kernel(
    x_ptr,  # address of x[0]
    out_ptr,  # address of out[0], of the same dtype
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    if first + BLOCK <= n:  # one value for the program, no block
        x = tl.load(x_ptr + offsets)
        tl.store(out_ptr + offsets, x)
    else:
        mask = offsets < n
        x = tl.load(x_ptr + offsets, mask=mask)
        tl.store(out_ptr + offsets, x, mask=mask)
# --8<-- [end:kernel]


if __name__ == "__main__":
    # --8<-- [start:demo]
    for n in (4096, 4095, 1):
        x = torch.randn(n).to(DEVICE)
        out = torch.zeros(n, device=DEVICE)
        grid = (triton.cdiv(n, BLOCK),)
        split_copy_kernel[grid](x, out, n, BLOCK=BLOCK)
        print(f"n = {n}: {torch.equal(out, x)}")
    # --8<-- [end:demo]
