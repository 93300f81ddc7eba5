"""Trap of 2.5: an ACTIVATION that nobody implements, in a kernel that
does not look and in one that does."""

# /// capture
# rejects = ["fused_activation_kernel"]
# differs = "One assertion, and two names for the exception."
# ///

import torch
import triton
import triton.language as tl

from ch02_parameterization.activation import fused_activation_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def unchecked_activation_kernel(
    x_ptr,  # input, n floats, contiguous
    out_ptr,  # output, n floats, contiguous
    n,  # number of elements
    ACTIVATION: tl.constexpr,  # meant: "none" or "relu"
    BLOCK: tl.constexpr,  # lanes of one program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    if ACTIVATION == "relu":
        x = tl.maximum(x, 0.0)
    tl.store(out_ptr + offsets, x, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:demo]
def attempt(kernel, activation):
    x = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0], device=DEVICE)
    out = torch.zeros_like(x)
    grid = (triton.cdiv(5, 8),)
    try:
        kernel[grid](x, out, 5, ACTIVATION=activation, BLOCK=8)
    except Exception as error:
        print("raised:", type(error).__name__)
        print("message:", str(error).splitlines()[-1])
    print("out:", out.tolist())


print("== unchecked, softmax ==")
attempt(unchecked_activation_kernel, "softmax")
print("== unchecked, ReLU ==")
attempt(unchecked_activation_kernel, "ReLU")
print("== with static_assert, softmax ==")
attempt(fused_activation_kernel, "softmax")
# --8<-- [end:demo]
