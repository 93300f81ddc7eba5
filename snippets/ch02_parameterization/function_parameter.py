"""Worked example 2.5.2: a jitted function as constexpr argument, so
that callers add activations without touching the kernel."""

# /// capture
# rejects = ["map_kernel"]
# differs = "One mistake, and two names for the exception."
# [labels]
# "silu, max abs diff" = { kind = "bound", limit = 1e-6 }
# ///

import torch
import triton
import triton.language as tl

from ch02_parameterization.constexpr_shape import check_vector

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def map_kernel(
    x_ptr,  # input, n floats, contiguous
    out_ptr,  # output, n floats, contiguous
    n,  # number of elements
    FUNCTION: tl.constexpr,  # jitted: float32 block to block
    BLOCK: tl.constexpr,  # lanes of one program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    tl.store(out_ptr + offsets, FUNCTION(x), mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:functions]
@triton.jit
def squared_relu(x):
    x = tl.maximum(x, 0.0)
    return x * x


@triton.jit
def silu(x):
    return x * tl.sigmoid(x)


@triton.jit
def two_arguments(x, y):
    return x + y
# --8<-- [end:functions]


def map_with(function, x, block=1024):
    """function(x), element by element, in x's dtype."""
    check_vector(x)
    out = torch.empty_like(x)
    n = x.numel()
    if n == 0:
        return out
    grid = (triton.cdiv(n, block),)
    map_kernel[grid](x, out, n, FUNCTION=function, BLOCK=block)
    return out


if __name__ == "__main__":
    print("== 2.5.2 a function as parameter ==")
    # --8<-- [start:demo]
    x = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0], device=DEVICE)
    out = map_with(squared_relu, x, block=4)
    print("squared relu:", [round(v, 6) for v in out.tolist()])
    out = map_with(silu, x, block=4)
    print("silu:", [round(v, 6) for v in out.tolist()])
    exact = torch.nn.functional.silu(x.double())
    diff = (out.double() - exact).abs().max().item()
    print(f"silu, max abs diff: {diff:.1e}")
    try:
        map_with(two_arguments, x, block=4)
    except Exception as error:
        print("raised:", type(error).__name__)
        print("message:", str(error).splitlines()[-1])
    # --8<-- [end:demo]
