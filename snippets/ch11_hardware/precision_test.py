"""11.4: a test that float32 passes, and tf32 only as long as it is
interpreted."""

# /// capture
# differs = """
# The interpreter multiplies in float32, whatever input_precision
# says."""
# ///

import torch

from ch11_hardware.matmul import DEVICE
from ch11_hardware.small_dot import tile_dot

# --8<-- [start:demo]
print("== 11.4.3 a test ==")
torch.manual_seed(0)
left, right = torch.randn(16, 16), torch.randn(16, 16)
truth = left.double() @ right.double()
sizes = left.double().abs() @ right.double().abs()
allowed = 16 * 2.0**-24 * sizes  # 16 terms, a rounding for each
for precision in ("tf32", "ieee"):
    product = tile_dot(
        left.to(DEVICE), right.to(DEVICE), precision=precision
    )
    off = (product.cpu().double() - truth).abs()
    passed = (off <= allowed).sum().item()
    print(f"{precision} elements that pass: {passed} of {off.numel()}")
# --8<-- [end:demo]
