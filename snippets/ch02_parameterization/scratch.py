"""Worked example 2.4.1: a kernel that needs scratch memory, and who
owns it."""

# /// capture
# differs = "Only the allocator of a GPU reports its bytes."
# ///

import weakref

import torch
import triton
import triton.language as tl

from ch02_parameterization.constexpr_shape import check_vector

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernels]
@triton.jit
def partial_sums_kernel(
    x_ptr,  # input, n floats, contiguous
    scratch_ptr,  # one float32 for each program
    n,  # number of elements
    BLOCK: tl.constexpr,  # lanes of one program, a power of two
):
    pid = tl.program_id(0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    doubled = x.to(tl.float32) * 2.0
    tl.store(scratch_ptr + pid, tl.sum(doubled, axis=0))


@triton.jit
def total_kernel(
    scratch_ptr,  # m partial sums, float32
    out_ptr,  # one float32
    m,  # number of partial sums
    BLOCK: tl.constexpr,  # lanes, a power of two
):
    acc = tl.zeros((BLOCK,), dtype=tl.float32)
    for start in range(0, m, BLOCK):
        offsets = start + tl.arange(0, BLOCK)
        mask = offsets < m
        acc += tl.load(scratch_ptr + offsets, mask=mask, other=0.0)
    tl.store(out_ptr, tl.sum(acc, axis=0))
# --8<-- [end:kernels]


# --8<-- [start:wrapper]
def run_with_scratch(x, scratch=None, block=1024):
    """The sum of 2 * x in float32. The caller may lend `scratch`."""
    check_vector(x)
    n = x.numel()
    m = triton.cdiv(n, block)  # programs, and so partial sums
    if scratch is None:
        scratch = torch.empty(m, dtype=torch.float32, device=DEVICE)
    check_vector(scratch)
    if scratch.dtype != torch.float32 or scratch.numel() < m:
        raise ValueError(
            f"need {m} float32 of scratch, got "
            f"{scratch.numel()} of {scratch.dtype}"
        )
    total = torch.zeros((), dtype=torch.float32, device=DEVICE)
    if n == 0:
        return total
    partial_sums_kernel[(m,)](x, scratch, n, BLOCK=block)
    total_kernel[(1,)](scratch, total, m, BLOCK=1024)
    return total  # its own scratch loses its last reference here
# --8<-- [end:wrapper]


# --8<-- [start:lent]
def lend_scratch():
    """The caller owns the scratch, and can watch it go."""
    x = torch.arange(10, dtype=torch.float32, device=DEVICE)
    lent = torch.empty(3, dtype=torch.float32, device=DEVICE)
    watch = weakref.ref(lent)  # sees the tensor, does not own it
    total = run_with_scratch(x, lent, block=4)
    print("partial sums:", lent.tolist())
    print("total:", total.item())
    print("alive after both kernels:", watch() is not None)
    del lent
    print("alive after del:", watch() is not None)
# --8<-- [end:lent]


# --8<-- [start:own]
def own_scratch():
    """The wrapper owns the scratch; the GPU's allocator counts."""
    x = torch.ones(4000, device=DEVICE)
    if DEVICE == "cuda":
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
    total = run_with_scratch(x, block=16)
    print("bytes of scratch:", 4 * triton.cdiv(4000, 16))
    print("total:", total.item())
    if DEVICE == "cuda":
        peak = torch.cuda.max_memory_allocated()
        after = torch.cuda.memory_allocated()
        print("bytes more at the peak:", peak - before)
        print("bytes more afterwards:", after - before)
# --8<-- [end:own]


if __name__ == "__main__":
    print("== 2.4.1 scratch lent by the caller ==")
    lend_scratch()
    print("== 2.4.1 scratch of its own ==")
    own_scratch()
