"""Trap of 5.4: a comparison in two steps, spelt out and by accident."""

# /// capture
# rejects = ["chained_kernel", "precedence_kernel"]
# differs = """The interpreter keeps the last comparison of a chain;
# the compiler rejects the kernel."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N, LOW = 6, 2
BLOCK = 8


# --8<-- [start:kernels]
@triton.jit
def chained_kernel(
    out_ptr,  # address of out[0], int32
    low,  # the first element to mark
    n,  # how many elements out has
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = low <= offsets < n
    tl.store(out_ptr + offsets, 1, mask=mask)


@triton.jit
def precedence_kernel(
    out_ptr,  # address of out[0], int32
    low,  # the first element to mark
    n,  # how many elements out has
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets >= low & offsets < n
    tl.store(out_ptr + offsets, 1, mask=mask)


@triton.jit
def window_kernel(
    out_ptr,  # address of out[0], int32
    low,  # the first element to mark
    n,  # how many elements out has
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = (offsets >= low) & (offsets < n)
    tl.store(out_ptr + offsets, 1, mask=mask)
# --8<-- [end:kernels]


if __name__ == "__main__":
    # --8<-- [start:demo]
    for title, kernel in [
        ("chained", chained_kernel),
        ("no parentheses", precedence_kernel),
        ("two masks", window_kernel),
    ]:
        out = torch.zeros(BLOCK, dtype=torch.int32, device=DEVICE)
        grid = (triton.cdiv(N, BLOCK),)
        try:
            kernel[grid](out, LOW, N, BLOCK=BLOCK)
            print(f"{title}: {out.tolist()}")
        except Exception as error:
            words = str(error).splitlines()[-1]
            print(f"{title}: {type(error).__name__}: {words}")
    # --8<-- [end:demo]
