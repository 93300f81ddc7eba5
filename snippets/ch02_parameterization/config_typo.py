"""Trap of 2.2: the same misspelt key, in front of a BLOCK without a
default and in front of one with a default."""

# /// capture
# rejects = ["defaulted_kernel"]
# differs = """
# The interpreter drops a keyword that it does not know; the
# compiled launcher refuses it."""
# ///

import torch
import triton
import triton.language as tl

from ch02_parameterization.constexpr_shape import shape_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def defaulted_kernel(
    x_ptr,  # input, n floats, contiguous
    out_ptr,  # output, n floats, contiguous
    n,  # number of elements
    BLOCK: tl.constexpr = 32,  # lanes, and here lies the trap
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x * 2.0, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:demo]
def attempt(kernel, config):
    """Launch for 256 ones; count the elements that came out as 2."""
    x = torch.ones(256, device=DEVICE)
    out = torch.zeros_like(x)
    grid = (triton.cdiv(256, 64),)  # 4 programs of 64 are meant
    try:
        kernel[grid](x, out, 256, **config.all_kwargs())
    except Exception as error:
        print("raised:", type(error).__name__)
        print("message:", error)
    print("elements doubled:", int((out == 2).sum()), "of 256")


typo = triton.Config({"BLOKC": 64})
print("== BLOCK has no default ==")
attempt(shape_kernel, typo)
print("== BLOCK has a default ==")
attempt(defaulted_kernel, typo)
# --8<-- [end:demo]
