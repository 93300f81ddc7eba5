"""9.2.2: a check that fires in every mode: the kernel counts the lanes
that break it, and the wrapper raises."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def checked_sqrt_kernel(
    x_ptr,  # address of x[0], float32
    out_ptr,  # address of the square roots, float32
    bad_ptr,  # address of one int32: how many lanes broke the check
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    bad = tl.sum((mask & (x < 0.0)).to(tl.int32), axis=0)
    if bad > 0:
        tl.atomic_add(bad_ptr, bad)
    tl.store(out_ptr + offsets, tl.sqrt(x), mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def checked_sqrt(x, block=1024):
    """Square roots; raises where an element is negative."""
    if x.dtype != torch.float32 or not x.is_contiguous():
        raise ValueError(
            f"x is {x.dtype}, strides {x.stride()}; "
            "wanted float32, contiguous"
        )
    out = torch.empty_like(x)
    n = x.numel()
    if n == 0:
        return out
    bad = torch.zeros(1, dtype=torch.int32, device=x.device)
    grid = (triton.cdiv(n, block),)
    checked_sqrt_kernel[grid](x, out, bad, n, BLOCK=block)
    if count := bad.item():  # waits for the kernel
        raise ValueError(f"{count} of {n} elements are negative")
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 9.2.2 a check that fires ==")
    # --8<-- [start:demo]
    sound = torch.tensor([4.0, 9.0, 16.0, 25.0, 36.0], device=DEVICE)
    print("sound:", checked_sqrt(sound, block=4).tolist())
    broken = torch.tensor([4.0, -9.0, 16.0, 25.0, -1.0], device=DEVICE)
    try:
        checked_sqrt(broken, block=4)
    except ValueError as error:
        print("broken:", error)
    # --8<-- [end:demo]
