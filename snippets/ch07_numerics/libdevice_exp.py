"""7.5: libdevice's exp; the interpreter has none."""

# /// capture
# differs = "The interpreter cannot call libdevice."
# [labels]
# "near * libdevice" = { kind = "bound", limit = 60 }
# ///

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2000
EPS = 2.0**-23


# --8<-- [start:kernel]
@triton.jit
def libdevice_exp_kernel(
    x_ptr,  # address of n float32
    out_ptr,  # address of n float32
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    tl.store(out_ptr + offsets, libdevice.exp(x), mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:demo]
torch.manual_seed(0)
for low in range(-80, 80, 10):
    x = low + 10.0 * torch.rand(N)
    out = torch.empty(N, device=DEVICE)
    grid = (triton.cdiv(N, 1024),)
    try:
        libdevice_exp_kernel[grid](x.to(DEVICE), out, N, BLOCK=1024)
    except Exception as error:
        print(f"{type(error).__name__}: {error}")
        break
    error = (out.cpu().double() / x.double().exp() - 1.0).abs() / EPS
    print(f"near {low + 5} libdevice: {error.max().item():.2f}")
# --8<-- [end:demo]
