"""14.4: the same call gives the same bits, and another split other
bits."""

# /// capture
# differs = "inside a program NumPy adds in another order"
# ///

import torch

from ch14_reductions.sum_all import sum_all

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

print("== 14.4 bits and parts ==")
# --8<-- [start:demo]
torch.manual_seed(0)
u = 2.0 * torch.rand(200_000) - 1.0
x = (u * u * u).to(DEVICE)
calls = {sum_all(x, 8192, 1024).item() for _ in range(20)}
print(f"different results of 20 calls: {len(calls)}")
lengths = [1024 * turns for turns in range(10, 20)]
sums = {sum_all(x, length, 1024).item() for length in lengths}
print(f"different results of 10 splits: {len(sums)}")
# --8<-- [end:demo]
