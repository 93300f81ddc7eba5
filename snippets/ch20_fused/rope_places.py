"""20.3: positions in half precision. Neighbours share an angle."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "It launches nothing."
# ///

import torch

DIM, BASE = 128, 10000.0

# --8<-- [start:demo]
j = torch.arange(DIM // 2, dtype=torch.float64)
speed = BASE ** (-2 * j / DIM)  # radians a position, 1 for pair 0
for place in (100, 1001, 10001, 100001):
    for dtype in (torch.bfloat16, torch.float16, torch.float32):
        position = torch.tensor(float(place)).to(dtype)
        angle = position * speed.to(dtype)
        worst = (angle.double() - place * speed).abs().max().item()
        name = str(dtype).removeprefix("torch.")
        print(f"position {place} {name} radians off: {worst:.1e}")
# --8<-- [end:demo]
