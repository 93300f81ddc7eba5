"""13.6: a second of cuBLAS, and what it does to the clock."""

# /// capture
# runners = ["gpu"]
# [labels]
# "* MHz" = { kind = "measured", within = 0.3 }
# "* W" = { kind = "measured", within = 0.4 }
# "* TFLOP/s" = { kind = "measured", within = 0.3 }
# ///

import os
import subprocess
import time

import torch

SIZE = 4096
FIELDS = "clocks.sm,power.draw.instant,power.limit"
GPU = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]


def ask():
    """Clock in MHz, power and its limit in W, by NVIDIA's tool."""
    said = subprocess.check_output(
        [
            "nvidia-smi",
            f"--id={GPU}",  # it lists others, too
            f"--query-gpu={FIELDS}",
            "--format=csv,noheader,nounits",
        ],
        text=True,
    )
    return [float(number) for number in said.split(",")]


# --8<-- [start:demo]
a = torch.randn(SIZE, SIZE, device="cuda").bfloat16()
b = torch.randn(SIZE, SIZE, device="cuda").bfloat16()
a @ b  # the first call prepares the library
torch.cuda.synchronize()
time.sleep(2)
print("== a second of products ==")
start, seen = time.time(), []
while time.time() - start < 1.5:
    begin = time.time()
    for _ in range(100):
        a @ b
    torch.cuda.synchronize()
    seen.append(2 * SIZE**3 * 100 / (time.time() - begin) / 1e12)
for _ in range(1000):  # still running while we ask
    a @ b
clock, power, limit = ask()
torch.cuda.synchronize()
print(f"first hundred launches TFLOP/s: {seen[0]:.0f}")
print(f"last hundred launches TFLOP/s: {seen[-1]:.0f}")
print(f"clock under load MHz: {clock:.0f}")
print(f"power under load W: {power:.0f}")
print(f"power limit W: {limit:.0f}")
# --8<-- [end:demo]
