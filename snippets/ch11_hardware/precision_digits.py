"""11.4: two numbers through tl.dot, in three precisions."""

# /// capture
# rejects = ["tile_dot_kernel"]
# differs = """
# The interpreter multiplies in float32, whatever input_precision
# says."""
# ///

import torch

from ch11_hardware.matmul import DEVICE
from ch11_hardware.small_dot import tile_dot

# --8<-- [start:demo]
print("== 11.4.1 what is left of a number ==")
for steps in (1.25, 1.75):
    number = 1 + steps * 2**-10
    print(f"number {steps}: {number:.9f}")
    a = torch.eye(16, device=DEVICE) * number
    one = torch.eye(16, device=DEVICE)
    for precision in ("tf32", "tf32x3", "ieee"):
        product = tile_dot(a, one, precision=precision)[0, 0].item()
        print(f"{precision} {steps}: {product:.9f}")
# --8<-- [end:demo]
