"""9.2.1: four assertions that a kernel breaks, and which of them say
so. On a GPU, the launches with checks run in assert_gpu."""

# /// capture
# rejects = ["assert_kernel"]
# differs = """
# Python's assert asks a block for its truth in the interpreter, and is
# a device_assert when compiled; static_assert looks at the values in
# the interpreter, and refuses them when compiled."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def assert_kernel(
    x_ptr,  # address of x[0], float32
    out_ptr,  # address of the square roots, float32
    n,  # how many elements both have
    WAY: tl.constexpr,  # which assertion
    BLOCK: tl.constexpr,  # elements per program
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=-1.0)
    if WAY == "assert":
        assert x >= 0.0, "negative"
    elif WAY == "device_assert":
        tl.device_assert(x >= 0.0, "negative")
    elif WAY == "device_assert, masked":
        tl.device_assert(x >= 0.0, "negative", mask=mask)
    elif WAY == "static_assert":
        tl.static_assert(x >= 0.0, "negative")
    tl.store(out_ptr + offsets, tl.sqrt(x), mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:attempt]
def attempt(way, values, block=4, **options):
    """Launch the kernel, and tell whether anything was raised."""
    x = torch.tensor(values, device=DEVICE)
    out = torch.zeros_like(x)
    grid = (triton.cdiv(len(values), block),)
    try:
        assert_kernel[grid](
            x, out, len(values), way, BLOCK=block, **options
        )
        said = f"passed, out {out.tolist()}"
    except Exception as error:
        inner = error
        while inner.__cause__:
            inner = inner.__cause__
        said = f"{type(error).__name__}: {str(inner).splitlines()[-1]}"
    return said
# --8<-- [end:attempt]


if __name__ == "__main__":
    # --8<-- [start:demo]
    print("== one negative of four ==")
    broken = [4.0, -9.0, 16.0, 25.0]
    print("assert:", attempt("assert", broken))
    print("device_assert:", attempt("device_assert", broken))
    print("static_assert:", attempt("static_assert", broken))
    print("== one element a program ==")
    print("assert, BLOCK 1:", attempt("assert", broken, block=1))
    # --8<-- [end:demo]
