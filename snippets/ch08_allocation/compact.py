"""8.1.2: the length of the output depends on the data: count first,
then allocate."""

# /// capture
# # Compiled and not run, the counts would be anything.
# runners = ["interpreter", "gpu"]
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernels]
@triton.jit
def count_kernel(
    x_ptr,  # address of x[0], float32
    count_ptr,  # one int64 for each program
    n,  # how many elements x has
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    pid = tl.program_id(0)
    offsets = pid.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    keep = (x > 0.0).to(tl.int32)
    tl.store(count_ptr + pid, tl.sum(keep, axis=0).to(tl.int64))


@triton.jit
def keep_kernel(
    x_ptr,  # address of x[0], float32
    end_ptr,  # where each program's part of the output ends, int64
    out_ptr,  # address of out[0], float32
    n,  # how many elements x has
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    pid = tl.program_id(0)
    offsets = pid.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    keep = (x > 0.0).to(tl.int32)
    begin = tl.load(end_ptr + pid) - tl.sum(keep, axis=0)
    place = begin + tl.cumsum(keep, axis=0) - 1
    tl.store(out_ptr + place, x, mask=keep != 0)
# --8<-- [end:kernels]


# --8<-- [start:wrapper]
def positives(x: torch.Tensor, block: int = 1024) -> torch.Tensor:
    """The elements of x above 0, in order."""
    if x.dim() != 1 or not x.is_contiguous():
        raise ValueError(
            f"x must be a contiguous vector: shape {tuple(x.shape)}, "
            f"strides {x.stride()}"
        )
    if x.dtype != torch.float32:
        raise TypeError(f"x is {x.dtype}, wanted torch.float32")
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    n = x.numel()
    if n == 0:
        return torch.empty_like(x)
    grid = (triton.cdiv(n, block),)
    counts = torch.empty(grid, dtype=torch.int64, device=DEVICE)
    count_kernel[grid](x, counts, n, BLOCK=block)
    ends = counts.cumsum(0)
    length = int(ends[-1])  # the host waits for the kernel here
    out = x.new_empty(length)
    keep_kernel[grid](x, ends, out, n, BLOCK=block)
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 8.1.2 count, then allocate ==")
    # --8<-- [start:demo]
    x = torch.tensor([5.0, -1, 4, -2, -3, -6, -7, -8, 9, 2])
    x = x.to(DEVICE)
    counts = torch.empty(3, dtype=torch.int64, device=DEVICE)
    count_kernel[(3,)](x, counts, 10, BLOCK=4)
    print(f"kept by each program: {counts.tolist()}")
    print(f"ends: {counts.cumsum(0).tolist()}")
    print(f"positives: {positives(x, block=4).tolist()}")
    print(f"none: {positives(-x.abs(), block=4).tolist()}")
    torch.manual_seed(0)
    x = torch.randn(5000).to(DEVICE)
    print(f"random, right: {torch.equal(positives(x), x[x > 0])}")
    # --8<-- [end:demo]
