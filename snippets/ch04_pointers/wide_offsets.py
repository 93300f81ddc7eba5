"""4.4: the same copy with offsets of 32 bits and of 64, to see what
the wider ones cost."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024


# --8<-- [start:kernel]
@triton.jit
def copy_kernel(
    x_ptr,  # address of x[0]
    out_ptr,  # address of out[0]
    n,  # how many elements there are
    WIDE: tl.constexpr,  # whether offsets have 64 bits
    BLOCK: tl.constexpr,  # elements per program
):
    program = tl.program_id(0)
    if WIDE:
        program = program.to(tl.int64)
    offsets = program * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x, mask=mask)
# --8<-- [end:kernel]


def copy1d(x: torch.Tensor, out: torch.Tensor, wide: bool):
    n = x.numel()
    if out.shape != x.shape or out.dtype != x.dtype:
        raise ValueError(
            f"x is {tuple(x.shape)} of {x.dtype}, "
            f"out {tuple(out.shape)} of {out.dtype}"
        )
    for name, tensor in (("x", x), ("out", out)):
        if not tensor.is_contiguous():
            raise ValueError(f"{name} must be contiguous")
        if tensor.device.type != DEVICE:
            raise ValueError(
                f"{name} is on {tensor.device}, wanted {DEVICE}"
            )
    if not wide and n > 2**31 - BLOCK:
        raise ValueError(f"{n} elements need offsets of 64 bits")
    if n == 0:
        return out
    grid = (triton.cdiv(n, BLOCK),)
    copy_kernel[grid](x, out, n, WIDE=wide, BLOCK=BLOCK)
    return out


if __name__ == "__main__":
    # --8<-- [start:demo]
    x = torch.arange(4096.0, device=DEVICE)
    for wide in (False, True):
        out = copy1d(x, torch.zeros_like(x), wide)
        print(f"wide={wide}: {torch.equal(out, x)}")
    # --8<-- [end:demo]
