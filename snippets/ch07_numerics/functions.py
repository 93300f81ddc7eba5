"""A kernel that applies one function, chosen by name, and 7.5: the
instructions that each becomes."""

# /// capture
# runners = ["compiler", "gpu"]
# ///

import re

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
NAMES = ["x / y", "div_rn", "sqrt", "sqrt_rn", "rsqrt"]
NAMES += ["exp", "exp2", "log", "sin"]


# --8<-- [start:kernel]
@triton.jit
def function_kernel(
    x_ptr,  # address of n float32
    y_ptr,  # address of n float32, the divisors
    out_ptr,  # address of n float32
    n,  # how many elements there are
    NAME: tl.constexpr,  # one of NAMES
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=1.0)
    if NAME == "x / y":
        out = x / tl.load(y_ptr + offsets, mask=mask, other=1.0)
    elif NAME == "div_rn":
        y = tl.load(y_ptr + offsets, mask=mask, other=1.0)
        out = tl.div_rn(x, y)
    elif NAME == "sqrt":
        out = tl.sqrt(x)
    elif NAME == "sqrt_rn":
        out = tl.sqrt_rn(x)
    elif NAME == "rsqrt":
        out = tl.rsqrt(x)
    elif NAME == "exp":
        out = tl.exp(x)
    elif NAME == "exp2":
        out = tl.exp2(x)
    elif NAME == "log":
        out = tl.log(x)
    elif NAME == "sin":
        out = tl.sin(x)
    else:
        tl.static_assert(False, "unknown NAME")
    tl.store(out_ptr + offsets, out, mask=mask)
# --8<-- [end:kernel]


def apply(name, x, y=None, block=1024):
    """One function of NAMES over x (over x and y); all float32."""
    y = x if y is None else y
    for title, tensor in (("x", x), ("y", y)):
        if tensor.dtype != torch.float32:
            raise TypeError(
                f"{title} is {tensor.dtype}, wanted torch.float32"
            )
        if tensor.device.type != DEVICE:
            raise ValueError(
                f"{title} is on {tensor.device}, wanted {DEVICE}"
            )
        if tensor.shape != x.shape or not tensor.is_contiguous():
            raise ValueError(
                f"{title} must be contiguous like x: shape "
                f"{tuple(tensor.shape)}, strides {tensor.stride()}"
            )
    out = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        grid = (triton.cdiv(n, block),)
        function_kernel[grid](x, y, out, n, NAME=name, BLOCK=block)
    return out


# --8<-- [start:instructions]
def report(name):
    """Print which float32 instructions one function becomes."""
    x = torch.ones(128, device=DEVICE)
    out = torch.empty_like(x)
    compiled = function_kernel[(1,)](
        x, x, out, 128, NAME=name, BLOCK=128
    )
    ptx = compiled.asm["ptx"]
    found = re.findall(r"\b[a-z][a-z0-9.]*\.f32(?![.\w])", ptx)
    found = [i for i in found if not i.startswith(("ld", "st"))]
    approximate = [i for i in found if "approx" in i or "full" in i]
    print(f"{name} float instructions: {len(found)}")
    print(f"{name} the first two: {', '.join(found[:2])}")
    print(f"{name} approximate: {', '.join(approximate) or 'none'}")
# --8<-- [end:instructions]


if __name__ == "__main__":
    for name in NAMES:
        report(name)
