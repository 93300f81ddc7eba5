"""More than 2**31 elements: offsets need 64 bits."""

# /// capture
# runners = ["gpu"]
# ///

import torch

from ch12_elementwise.fma_relu import fused_fma_relu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**31 + 5

# --8<-- [start:run]
x = torch.zeros(N, device=DEVICE)  # about 8.6 GB
x[-5:] = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0])
out = fused_fma_relu(x, 2.0, 1.0)
print(f"elements beyond 2**31: {N - 2**31}")
print(f"the last five: {out[-5:].tolist()}")
print(f"all others are 1: {bool((out[:-5] == 1.0).all())}")
# --8<-- [end:run]
