"""Solution: phi without the detour through tanh."""

# /// capture
# [labels]
# "* worst relative error" = { kind = "bound", limit = 1.1 }
# "* at -6" = { kind = "bound", limit = 1e-6 }
# ///

import torch
import triton
import triton.language as tl

from ch12_elementwise.gelu_exact import launch
from ch12_elementwise.gelu_tanh import gelu_tanh

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def gelu_sigmoid_kernel(
    x_ptr,  # address of x[0]: float32, float16 or bfloat16
    out_ptr,  # address of out[0], same dtype, as long as x
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    SQRT_2_OVER_PI: tl.constexpr = 0.7978845608028654
    CUBIC: tl.constexpr = 0.044715
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    z = SQRT_2_OVER_PI * (x + CUBIC * x * x * x)
    tl.store(out_ptr + offsets, x * tl.sigmoid(2.0 * z), mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:demo]
x = torch.linspace(-6.0, 6.0, 6002, device=DEVICE)
wide = x.double()
z = (2.0 / torch.pi) ** 0.5 * (wide + 0.044715 * wide**3)
truth = wide * torch.sigmoid(2.0 * z)
for name, out in (
    ("tanh form", gelu_tanh(x)),
    ("sigmoid form", launch(gelu_sigmoid_kernel, x)),
):
    error = (out.double() / truth - 1.0).abs().max().item()
    print(f"{name} worst relative error: {error:.1e}")
    print(f"{name} at -6: {out[0].item():.3e}")
print(f"float64 at -6: {truth[0].item():.3e}")
# --8<-- [end:demo]
