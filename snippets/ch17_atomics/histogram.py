"""17.1.1: a histogram, with an atomic for each element, and with one
for each bin of a block."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
COUNTED = 1024  # elements of a program of count_each
MOST_BINS = 2048  # of count_blocks: its counts live in registers


# --8<-- [start:each]
@triton.jit
def count_each_kernel(
    x_ptr,  # address of x[0], int32 or int64
    counts_ptr,  # int32, copies x bins, 0 before the launch
    n,  # elements of x
    bins,  # elements of a row of counts
    copies,  # rows of counts; programs take turns
    BLOCK: tl.constexpr,  # elements of this program
    SEM: tl.constexpr,  # memory order of the atomics
):
    counts_ptr += tl.program_id(0) % copies * bins
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=-1)
    good = (x >= 0) & (x < bins)
    tl.atomic_add(counts_ptr + x, 1, mask=good, sem=SEM)
# --8<-- [end:each]


# --8<-- [start:blocks]
@triton.jit
def count_blocks_kernel(
    x_ptr,  # address of x[0], int32 or int64
    counts_ptr,  # address of counts[0], int32, 0 before the launch
    n,  # elements of x
    bins,  # elements of counts, at most BINS
    BLOCK: tl.constexpr,  # elements counted at a time
    BINS: tl.constexpr,  # bins rounded up to a power of two
):
    counts = tl.zeros((BINS,), dtype=tl.int32)
    blocks = tl.cdiv(n, BLOCK)
    for block in range(tl.program_id(0), blocks, tl.num_programs(0)):
        offsets = block * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + offsets, mask=offsets < n, other=-1)
        good = (x >= 0) & (x < bins)
        counts += tl.histogram(x.to(tl.int32), BINS, mask=good)
    bin = tl.arange(0, BINS)
    tl.atomic_add(
        counts_ptr + bin, counts, mask=counts > 0, sem="relaxed"
    )
# --8<-- [end:blocks]


# --8<-- [start:wrapper]
def check_counted(x: torch.Tensor, bins: int) -> None:
    if x.dtype not in (torch.int32, torch.int64):
        raise TypeError(f"need int32 or int64, got {x.dtype}")
    if x.device.type != DEVICE or not x.is_contiguous():
        raise ValueError(
            f"need x contiguous on {DEVICE}, got {x.device}, "
            f"strides {x.stride()}"
        )
    if not 1 <= bins <= 2**30 or x.numel() >= 2**31 - 2**16:
        raise ValueError(f"cannot count {x.numel()} in {bins} bins")


def count_each(x: torch.Tensor, bins: int, copies=1, sem="relaxed"):
    """How often 0, 1, … bins - 1 occur in x, other values ignored."""
    check_counted(x, bins)
    if not 1 <= copies <= 2**30 // bins:
        raise ValueError(f"cannot make {copies} copies of {bins} bins")
    counts = torch.zeros(
        copies, bins, dtype=torch.int32, device=x.device
    )
    grid = (triton.cdiv(x.numel(), COUNTED),)
    if x.numel() > 0:
        count_each_kernel[grid](
            x, counts, x.numel(), bins, copies, BLOCK=COUNTED, SEM=sem
        )
    return counts.sum(0, dtype=torch.int32) if copies > 1 else counts[0]


def count_blocks(
    x: torch.Tensor, bins: int, block=8192, programs=8448, num_warps=8
):
    """The same, for at most MOST_BINS bins."""
    check_counted(x, bins)
    if bins > MOST_BINS:
        raise ValueError(f"need bins <= {MOST_BINS}, got {bins}")
    counts = torch.zeros(bins, dtype=torch.int32, device=x.device)
    programs = min(programs, triton.cdiv(x.numel(), block))
    if programs > 0:
        count_blocks_kernel[(programs,)](
            x, counts, x.numel(), bins, BLOCK=block,
            BINS=max(2, triton.next_power_of_2(bins)),
            num_warps=num_warps,
        )  # fmt: skip
    return counts
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 17.1.1 twelve numbers in four bins ==")
    # --8<-- [start:demo]
    values = [3, 1, 3, 0, 3, -1, 2, 3, 4, 1, 3, 3]
    x = torch.tensor(values, device=DEVICE)
    print(f"an atomic for each element: {count_each(x, 4).tolist()}")
    counts = count_blocks(x, 4, block=8)
    print(f"one for each bin of a block: {counts.tolist()}")
    inside = x[(x >= 0) & (x < 4)]
    print(f"torch.bincount: {inside.bincount(minlength=4).tolist()}")
    # --8<-- [end:demo]
