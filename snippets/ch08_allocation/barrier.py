"""8.3: nothing in the compiled code makes the warps of a program
wait between the loads and the store."""

# /// capture
# runners = ["compiler"]
# no_gpu = "The barrier is a fact about the compiled code."
# ///

import torch
import triton
import triton.language as tl

from ch08_allocation.difference import difference_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def one_block_kernel(
    x_ptr,  # address of x[0], float32; the result goes there too
    n,  # how many elements, at most BLOCK
    BLOCK: tl.constexpr,  # lanes of the one program
):
    offsets = tl.arange(0, BLOCK)
    mask = offsets < n
    here = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    ahead = offsets + 1
    ahead = tl.load(x_ptr + ahead, mask=ahead < n, other=0.0)
    tl.debug_barrier()  # all warps have read before one writes
    tl.store(x_ptr + offsets, ahead - here, mask=mask)
# --8<-- [end:kernel]


def barriers(compiled):
    return compiled.asm["ptx"].count("bar.sync")


if __name__ == "__main__":
    x = torch.zeros(1024, device=DEVICE)
    plain = difference_kernel[(1,)](
        x, x, 1024, LAST_FIRST=False, BLOCK=1024
    )
    print(f"difference_kernel, barriers: {barriers(plain)}")
    fenced = one_block_kernel[(1,)](x, 1024, BLOCK=1024)
    print(f"one_block_kernel, barriers: {barriers(fenced)}")
