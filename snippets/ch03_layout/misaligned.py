"""Trap of 3.5: a promise about an address, broken, ends the program's
use of the GPU."""

# /// capture
# runners = ["compiler", "gpu"]
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024


# --8<-- [start:trap]
@triton.jit
def aligned_copy_kernel(
    x_ptr,  # address of x[0], float32
    out_ptr,  # address of out[0], float32
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    pointers = tl.multiple_of(x_ptr + offsets, 16)  # a promise
    x = tl.load(pointers, mask=mask)
    tl.store(out_ptr + offsets, x, mask=mask)


base = torch.randn(1040).to(DEVICE)
out = torch.zeros(1024, device=DEVICE)
aligned_copy_kernel[(1,)](base, out, 1024, BLOCK=BLOCK)
print(f"aligned, right: {torch.equal(out, base[:1024])}")
try:
    aligned_copy_kernel[(1,)](base[1:], out, 1024, BLOCK=BLOCK)
    same = torch.equal(out, base[1:1025])  # waits for the kernel
    print(f"shifted by 1: {same}")
except RuntimeError as error:
    print(f"shifted by 1: {str(error).splitlines()[0]}")
try:
    print(f"afterwards: {torch.ones(3, device=DEVICE).tolist()}")
except RuntimeError as error:
    print(f"afterwards: {str(error).splitlines()[0]}")
# --8<-- [end:trap]
