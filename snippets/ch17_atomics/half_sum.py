"""17.2: 4096 ones, added to one float16 by atomics."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
@triton.jit
def add_ones_kernel(
    out_ptr,  # address of the sum, 0 before
    n,  # how many ones
    BLOCK: tl.constexpr,  # lanes of this program
):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    ones = tl.full((BLOCK,), 1.0, tl.float32)
    tl.atomic_add(
        out_ptr + lanes * 0,
        ones.to(out_ptr.dtype.element_ty),
        mask=lanes < n,
    )


if __name__ == "__main__":
    for dtype in (torch.float16, torch.float32, torch.int32):
        out = torch.zeros(1, dtype=dtype, device=DEVICE)
        add_ones_kernel[(4,)](out, 4096, BLOCK=1024)
        print(f"4096 ones, {dtype}: {out.item():.0f}")
# --8<-- [end:trap]
