"""6.3: the dtype arrives with the pointer, the arithmetic was written
for another."""

# /// capture
# differs = """The interpreter keeps factor a Python float; compiled,
# a float argument is float32."""
# ///

import torch

from ch06_contract.one_address import flat_scale

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
for dtype in (torch.float32, torch.float64, torch.int32):
    x = torch.arange(1, 6, device=DEVICE).to(dtype)
    out = flat_scale(x, 0.3)
    numbers = [f"{value:.12g}" for value in out.tolist()]
    print(f"{dtype} kernel: {' '.join(numbers)}")
    numbers = [f"{value:.12g}" for value in (0.3 * x).tolist()]
    print(f"{dtype} torch: {' '.join(numbers)}")
# --8<-- [end:demo]
