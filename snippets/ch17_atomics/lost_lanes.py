"""17.3.2: the same loss between the lanes of one block, where the
interpreter has it too."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def count_lanes_kernel(
    x_ptr,  # address of x[0], integers from 0 to bins - 1
    counts_ptr,  # address of counts[0], int32
    n,  # elements of x, at most BLOCK
    ATOMIC: tl.constexpr,  # add in one step
    BLOCK: tl.constexpr,  # lanes of the one program
):
    lanes = tl.arange(0, BLOCK)
    mask = lanes < n
    x = tl.load(x_ptr + lanes, mask=mask, other=0)
    if ATOMIC:
        tl.atomic_add(counts_ptr + x, 1, mask=mask)
    else:
        counts = tl.load(counts_ptr + x, mask=mask, other=0)
        tl.store(counts_ptr + x, counts + 1, mask=mask)
# --8<-- [end:kernel]


if __name__ == "__main__":
    print("== 17.3.2 eight numbers in three bins, one block ==")
    # --8<-- [start:demo]
    x = torch.tensor([0, 1, 1, 2, 2, 2, 2, 2], device=DEVICE)
    for name, atomic in [("load, add, store", False), ("atomic", True)]:
        counts = torch.zeros(3, dtype=torch.int32, device=DEVICE)
        count_lanes_kernel[(1,)](x, counts, 8, ATOMIC=atomic, BLOCK=8)
        print(f"{name}: {counts.tolist()}")
    # --8<-- [end:demo]
