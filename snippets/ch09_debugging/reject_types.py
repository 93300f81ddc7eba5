"""9.4, types: launches that fail because a value is of the wrong type.
One program each, with a lane for every element: no mask is needed."""

# /// capture
# rejects = [
#   "load_offsets_kernel",
#   "add_pointers_kernel",
#   "float_offset_kernel",
#   "invert_float_kernel",
#   "floor_kernel",
#   "float_mask_kernel",
#   "other_kernel",
#   "bitcast_kernel",
#   "torch_dtype_kernel",
#   "unsigned_kernel",
#   "remainder_kernel",
#   "half_atomic_kernel",
# ]
# differs = "The checks are the same, the name of the exception is not."
# ///

import re

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:attempt]
def attempt(title, launch):
    """Launch a kernel, and print how it fails: the outer exception,
    and the last line of the one that it began with."""
    print(f"== {title} ==")
    try:
        launch()
        print("raised: nothing")
    except Exception as error:
        print("raised:", type(error).__name__)
        while error.__cause__:
            error = error.__cause__
        text = str(error).strip() or type(error).__name__
        last = text.splitlines()[-1]
        print("says:", re.sub(" at 0x[0-9a-f]+", "", last))
# --8<-- [end:attempt]


# --8<-- [start:kernels]
@triton.jit
def load_offsets_kernel(
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # its elements
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(offsets)  # of which tensor?
    tl.store(out_ptr + offsets, x)


@triton.jit
def add_pointers_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + out_ptr)  # out_ptr was meant as an offset
    tl.store(out_ptr + offsets, x)


@triton.jit
def float_offset_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    half = offsets / 2  # a float, whatever it divides
    tl.store(out_ptr + offsets, tl.load(x_ptr + half))


@triton.jit
def invert_float_kernel(
    x_ptr,  # address of the input, floats
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, ~x)  # 1 where x is 0, was the idea


@triton.jit
def floor_kernel(
    x_ptr,  # address of the input, floats
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, x // 2)


@triton.jit
def float_mask_kernel(
    x_ptr,  # address of the input, floats
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, x, mask=x)  # where x is not 0


@triton.jit
def other_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, other=0.0)
    tl.store(out_ptr + offsets, x)


@triton.jit
def bitcast_kernel(
    x_ptr,  # address of the input, float32
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, x.to(tl.int16, bitcast=True))


@triton.jit
def torch_dtype_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    DTYPE: tl.constexpr,  # what to convert to: a dtype of Triton
    BLOCK: tl.constexpr,  # elements of both
):
    offsets = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets)
    tl.store(out_ptr + offsets, x.to(DTYPE))


@triton.jit
def unsigned_kernel(
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # its elements
):
    offsets = tl.arange(0, BLOCK).to(tl.uint32)
    tl.store(out_ptr + offsets, offsets * -1)


@triton.jit
def remainder_kernel(
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # its elements
):
    offsets = tl.arange(0, BLOCK)
    divisor = offsets.to(tl.uint32) + 1
    tl.store(out_ptr + offsets, offsets % divisor)


@triton.jit
def half_atomic_kernel(
    half_ptr,  # address of BLOCK float16: the maxima so far
    BLOCK: tl.constexpr,  # lanes
):
    x = tl.arange(0, BLOCK).to(tl.float16)
    tl.atomic_max(half_ptr + tl.arange(0, BLOCK), x)
# --8<-- [end:kernels]


if __name__ == "__main__":
    # --8<-- [start:demo]
    x = torch.arange(4.0, device=DEVICE)
    out = torch.zeros(4, device=DEVICE)
    half = torch.zeros(4, dtype=torch.float16, device=DEVICE)
    one = (1,)

    attempt("load of offsets", lambda: load_offsets_kernel[one](out, 4))
    attempt(
        "pointer plus pointer",
        lambda: add_pointers_kernel[one](x, out, 4),
    )
    attempt(
        "float offsets",
        lambda: float_offset_kernel[one](x, out, 4),
    )
    attempt("~ of floats", lambda: invert_float_kernel[one](x, out, 4))
    attempt("// of floats", lambda: floor_kernel[one](x, out, 4))
    attempt("float mask", lambda: float_mask_kernel[one](x, out, 4))
    attempt("other, no mask", lambda: other_kernel[one](x, out, 4))
    attempt("bitcast", lambda: bitcast_kernel[one](x, out, 4))
    attempt(
        "torch's dtype",
        lambda: torch_dtype_kernel[one](x, out, torch.float16, 4),
    )
    attempt("unsigned times -1", lambda: unsigned_kernel[one](out, 4))
    attempt("% of mixed signs", lambda: remainder_kernel[one](out, 4))
    attempt(
        "atomic_max of half",
        lambda: half_atomic_kernel[one](half, 4),
    )
    # --8<-- [end:demo]
