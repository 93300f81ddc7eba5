"""1.2: what must be a constexpr, and what happens where it is not."""

# /// capture
# rejects = ["open_block_kernel"]
# differs = "One check, and two names for the exception."
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def open_block_kernel(
    out_ptr,  # address of the output, n int32
    n,  # how many elements there are
    block,  # elements per program, not marked as a constexpr
):
    offsets = tl.program_id(0) * block + tl.arange(0, block)
    tl.store(out_ptr + offsets, offsets, mask=offsets < n)
# --8<-- [end:kernel]


# --8<-- [start:demo]
out = torch.zeros(6, dtype=torch.int32, device=DEVICE)
try:
    open_block_kernel[(triton.cdiv(6, 4),)](out, 6, 4)
    print("out:", out.tolist())
except Exception as error:
    print("raised:", type(error).__name__)
    print("message:", str(error).strip().splitlines()[-1])
# --8<-- [end:demo]
