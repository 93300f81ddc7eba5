"""11.3: bfloat16 ones in tl.dot."""

# /// capture
# differs = """
# The interpreter keeps bfloat16 as 16 bits in an integer, and
# tl.dot multiplies those integers."""
# ///

import torch

from ch11_hardware.matmul import DEVICE
from ch11_hardware.small_dot import tile_dot

# --8<-- [start:demo]
print("== 11.3.3 sixteen times 1 x 1, in bfloat16 ==")
ones = torch.ones(16, 16, dtype=torch.bfloat16, device=DEVICE)
bits = ones.view(torch.int16)[0, 0].item()
print("bits of 1.0:", bits)
print("16 * bits * bits:", 16 * bits * bits)
print(f"bfloat16 dot: {tile_dot(ones, ones)[0, 0].item():.0f}")
up = ones.float()
print(f"cast up first: {tile_dot(up, up)[0, 0].item():.0f}")
# --8<-- [end:demo]
