"""Trap of 1.2: a Python global is neither an argument nor a constexpr.
And the global that is allowed, changed after the compilation."""

# /// capture
# rejects = ["global_scale_kernel"]
# differs = """
# The interpreter reads a global like any Python function; the
# compiler takes only constants, and only once."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernels]
SCALE = 3.0  # an ordinary global
FACTOR = tl.constexpr(3.0)  # one that a kernel may read


@triton.jit
def global_scale_kernel(
    x_ptr,  # address of the input, n float32
    out_ptr,  # address of the output, n float32
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x * SCALE, mask=mask)


@triton.jit
def global_factor_kernel(
    x_ptr,  # address of the input, n float32
    out_ptr,  # address of the output, n float32
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x * FACTOR, mask=mask)
# --8<-- [end:kernels]


# --8<-- [start:demo]
def attempt(kernel):
    x = torch.tensor([1.0, 2.0, 3.0], device=DEVICE)
    out = torch.zeros_like(x)
    try:
        kernel[(triton.cdiv(3, 4),)](x, out, 3, BLOCK=4)
        print("out:", out.tolist())
    except Exception as error:
        lines = str(error).strip().splitlines()
        told = [text for text in lines if "lobal variable" in text]
        print("raised:", type(error).__name__)
        print("message:", (told or lines)[0].split(". ")[0])


print("== an ordinary global ==")
attempt(global_scale_kernel)
print("== a constexpr global ==")
attempt(global_factor_kernel)
FACTOR = tl.constexpr(10.0)
print("== the same, changed to 10 ==")
attempt(global_factor_kernel)
# --8<-- [end:demo]
