"""4.4: a stride as a tl.constexpr is a number without a type of its
own. Too large for the other operand, it is refused."""

# /// capture
# rejects = ["constant_kernel"]
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def constant_kernel(
    out_ptr,  # address of one result, int64
    row,  # which row
    STRIDE: tl.constexpr,  # elements from row to row
):
    tl.store(out_ptr, row * STRIDE)
# --8<-- [end:kernel]


# --8<-- [start:demo]
out = torch.zeros(1, dtype=torch.int64, device=DEVICE)
for title, stride in (("2**30", 2**30), ("2**31", 2**31)):
    out.zero_()
    try:
        constant_kernel[(1,)](out, 2, STRIDE=stride)
    except Exception as error:
        cause = str(error.__cause__ or error).splitlines()[-1]
        found = "out of range for type int32" in cause
        print(f"stride {title}, refused as out of range: {found}")
    print(f"stride {title}, 2 * STRIDE: {out.item()}")
# --8<-- [end:demo]
