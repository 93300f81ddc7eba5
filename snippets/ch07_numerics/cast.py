"""A kernel that converts float32 to a narrower type, and 7.2: what
the ends of each range become."""

# /// capture
# differs = """The interpreter cuts off where the GPU rounds, and gets
# bfloat16 subnormals wrong."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
HALVES = (torch.float16, torch.bfloat16)


# --8<-- [start:kernel]
@triton.jit
def cast_kernel(
    x_ptr,  # address of the input, n float32
    out_ptr,  # address of the output, n of a narrower float type
    n,  # how many elements there are
    ROUNDING: tl.constexpr,  # None, "rtne" or "rtz"
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    narrow = x.to(
        out_ptr.dtype.element_ty, fp_downcast_rounding=ROUNDING
    )
    tl.store(out_ptr + offsets, narrow, mask=mask)


def cast(x, dtype, rounding=None, block=1024):
    """x as dtype, converted by a kernel; x float32, contiguous."""
    if x.dtype != torch.float32:
        raise TypeError(f"x is {x.dtype}, wanted torch.float32")
    if dtype not in HALVES:
        raise TypeError(f"to {dtype}, wanted one of {HALVES}")
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    if not x.is_contiguous():
        raise ValueError(
            f"x must be contiguous: shape {tuple(x.shape)}, "
            f"strides {x.stride()}"
        )
    out = torch.empty(x.shape, dtype=dtype, device=x.device)
    n = x.numel()
    if n == 0:
        return out
    grid = (triton.cdiv(n, block),)
    cast_kernel[grid](x, out, n, ROUNDING=rounding, BLOCK=block)
    return out
# --8<-- [end:kernel]


if __name__ == "__main__":
    # --8<-- [start:demo]
    edges = {
        torch.float16: {
            "65504": 65504.0, "65519": 65519.0, "65520": 65520.0,
            "2**-14": 2.0**-14, "2**-24": 2.0**-24,
            "2**-25": 2.0**-25,
        },
        torch.bfloat16: {
            "2**128 - 2**120": 2.0**128 - 2.0**120,
            "2**128 - 2**119": 2.0**128 - 2.0**119,
            "2**-126": 2.0**-126, "2**-133": 2.0**-133,
            "1e-40": 1e-40,
        },
    }
    for dtype, numbers in edges.items():
        print(f"== {str(dtype).removeprefix('torch.')} ==")
        x = torch.tensor(list(numbers.values()), device=DEVICE)
        kernel, reference = cast(x, dtype), x.cpu().to(dtype)
        for k, name in enumerate(numbers):
            print(f"{name}: {kernel[k].item():.6g}")
            print(f"{name} in torch: {reference[k].item():.6g}")
    # --8<-- [end:demo]
