"""17.1: values that belong to no bin, and nobody masked them."""

# /// capture
# differs = """
# The interpreter counts with numpy.histogram, which drops what is out
# of range and takes the upper edge in; compiled code looks at the
# lowest bits of a value and nothing else."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
@triton.jit
def bins_kernel(
    x_ptr,  # address of x[0], int32
    counts_ptr,  # address of counts[0], int32
    n,  # elements of x, at most BLOCK
    BLOCK: tl.constexpr,  # lanes of the one program
    BINS: tl.constexpr,  # a power of two
    IN_RANGE: tl.constexpr,  # mask what belongs to no bin
):
    lanes = tl.arange(0, BLOCK)
    good = lanes < n
    x = tl.load(x_ptr + lanes, mask=good, other=0)
    if IN_RANGE:
        good &= (x >= 0) & (x < BINS)
    counts = tl.histogram(x, BINS, mask=good)
    tl.store(counts_ptr + tl.arange(0, BINS), counts)


if __name__ == "__main__":
    values = [0, 1, 2, 31, 32, 70, -1]
    x = torch.tensor(values, dtype=torch.int32, device=DEVICE)
    for name, in_range in [("not masked", False), ("masked", True)]:
        counts = torch.empty(32, dtype=torch.int32, device=DEVICE)
        bins_kernel[(1,)](
            x, counts, 7, BLOCK=32, BINS=32, IN_RANGE=in_range
        )
        counts = enumerate(counts.tolist())
        found = [f"{c} in bin {i}" for i, c in counts if c > 0]
        print(f"{name}: {', '.join(found)}")
# --8<-- [end:trap]
