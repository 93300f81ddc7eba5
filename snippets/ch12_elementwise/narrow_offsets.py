"""12.1: where a program far out begins, in 32 bits and in 64."""

# /// capture
# ptx = ["starts_kernel(BLOCK=1024)"]
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:starts]
@triton.jit
def starts_kernel(
    narrow_ptr,  # address of the first result, int64
    wide_ptr,  # address of the second, int64
    skipped,  # programs that are not launched, to save time
    BLOCK: tl.constexpr,  # elements per program
):
    program = tl.program_id(0) + skipped
    tl.store(narrow_ptr, program * BLOCK)
    tl.store(wide_ptr, program.to(tl.int64) * BLOCK)


narrow, wide = torch.empty(2, 1, dtype=torch.int64, device=DEVICE)
starts_kernel[(1,)](narrow, wide, 2**21, BLOCK=1024)
print(f"product in 32 bits: {narrow.item()}")
print(f"product in 64 bits: {wide.item()}")
# --8<-- [end:starts]
