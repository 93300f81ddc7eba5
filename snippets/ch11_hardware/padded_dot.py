"""11.3: a product smaller than the smallest, padded with zeros."""

import torch

from ch11_hardware.matmul import DEVICE
from ch11_hardware.small_dot import tile_dot

# --8<-- [start:demo]
print("== 11.3.2 two by three by four ==")
a = torch.tensor([[1, 2, 3], [4, 5, 6]]).to(DEVICE).half()
b = torch.arange(12).reshape(3, 4).to(DEVICE).half()
out = tile_dot(a, b)
print("row 0:", *out[0].int().tolist())
print("row 1:", *out[1].int().tolist())
print("used products:", 2 * 3 * 4)
print("products of the dot:", 16**3)
# --8<-- [end:demo]
