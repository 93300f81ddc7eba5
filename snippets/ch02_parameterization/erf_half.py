"""tl.math.erf and the 16-bit types: which mode takes which, and the
cast that makes the question go away."""

# /// capture
# rejects = ["erf_kernel"]
# differs = "One check, and two names for the exception."
# ///

import torch
import triton
import triton.language as tl

from ch02_parameterization.activation import fused_activation

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def erf_kernel(
    x_ptr,  # input, n floats, contiguous
    out_ptr,  # output, n floats, contiguous
    n,  # number of elements
    BLOCK: tl.constexpr,  # lanes of one program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, tl.math.erf(x), mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:demo]
for dtype in [torch.float32, torch.float16, torch.bfloat16]:
    x = torch.tensor([-1.0, 0.0, 0.5, 1.0], device=DEVICE).to(dtype)
    print(f"== {dtype} ==")
    out = torch.zeros_like(x)
    try:
        erf_kernel[(1,)](x, out, 4, BLOCK=4)
        print("erf:", [round(v, 2) for v in out.tolist()])
    except Exception as error:
        print("raised:", type(error).__name__)
        print("message:", str(error).splitlines()[-1])
    gelu = fused_activation(x, "gelu")
    print("gelu, cast up:", [round(v, 2) for v in gelu.tolist()])
# --8<-- [end:demo]
