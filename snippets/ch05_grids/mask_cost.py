"""Trap of 5.3: a mask where BLOCK divides n, and none would do."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024


# --8<-- [start:kernel]
@triton.jit
def mask_cost_kernel(
    x_ptr,  # address of x[0], float32
    out_ptr,  # address of out[0], float32, as long as x
    n,  # how many elements both have
    MASKED: tl.constexpr,  # False only where BLOCK divides n
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n if MASKED else None
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, 2 * x, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def double_by_mask(x, out, masked: bool) -> None:
    """2 * x into out, with a mask or without one."""
    n = x.numel()
    for name, t in [("x", x), ("out", out)]:
        if t.dtype != torch.float32:
            raise TypeError(f"{name} is {t.dtype}, wanted float32")
        if t.numel() != n or not t.is_contiguous():
            raise ValueError(
                f"{name} must be {n} elements in one piece: shape "
                f"{tuple(t.shape)}, strides {t.stride()}"
            )
    if not masked and n % BLOCK:
        raise ValueError(f"{BLOCK} does not divide {n}: mask it")
    grid = (triton.cdiv(n, BLOCK),)
    mask_cost_kernel[grid](x, out, n, MASKED=masked, BLOCK=BLOCK)
# --8<-- [end:wrapper]


if __name__ == "__main__":
    torch.manual_seed(0)
    x = torch.randn(4 * BLOCK).to(DEVICE)
    for masked in (False, True):
        out = torch.empty_like(x)
        double_by_mask(x, out, masked)
        print(f"masked {masked}, right: {torch.equal(out, 2 * x)}")
