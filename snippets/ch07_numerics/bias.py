"""7.3: the error of 8192 conversions to bfloat16, as a histogram."""

# /// capture
# differs = "The interpreter cuts, the GPU rounds to nearest."
# ///

import torch

from ch07_numerics.cast import cast

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 8192
BINS = 16  # of 1/8 step each, from -1 to 1

# --8<-- [start:demo]
torch.manual_seed(0)
x = 1.0 + torch.rand(N)  # between 1 and 2, where the step is 2**-7
for dtype, step in ((torch.bfloat16, 2.0**-7),
                    (torch.float16, 2.0**-10)):
    out = cast(x.to(DEVICE), dtype).cpu()
    error = (out.double() - x.double()) / step
    print(f"== {str(dtype).removeprefix('torch.')} ==")
    for k in range(BINS):
        low = 2 * k / BINS - 1
        inside = (error > low) & (error <= low + 2 / BINS)
        print(f"near {low + 1 / BINS}: {inside.sum().item()}")
    print(f"mean error, steps: {error.mean().item():.3f}")
    print(f"largest, steps: {error.abs().max().item():.3f}")
    total = (out.double().sum() / x.double().sum() - 1).item()
    print(f"relative error of the sum: {total:.1e}")
# --8<-- [end:demo]
