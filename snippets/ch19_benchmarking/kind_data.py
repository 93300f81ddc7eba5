"""19.1.5: one kernel, the same sizes, other numbers in the matrices."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* TFLOP/s" = { kind = "measured", within = 0.2 }
# "* GB/s" = { kind = "measured", within = 0.2 }
# "* over random" = { kind = "measured", within = 0.2 }
# "* MHz" = { kind = "measured", within = 0.3 }
# "* W" = { kind = "measured", within = 0.4 }
# ///

import os
import statistics
import subprocess

import torch
import triton.testing

from ch13_matmul.persistent import matmul_persistent

SIZE = 8192
N = 2**28
ROUNDS = 3
GPU = os.environ.get("CUDA_VISIBLE_DEVICES", "0").split(",")[0]


# --8<-- [start:data]
def ask():
    """The GPU's clock in MHz and its power in W."""
    said = subprocess.check_output(
        [
            "nvidia-smi",
            f"--id={GPU}",
            "--query-gpu=clocks.sm,power.draw.instant",
            "--format=csv,noheader,nounits",
        ],
        text=True,
    )
    return [float(number) for number in said.split(",")]


random = torch.randn(SIZE, SIZE, device="cuda").bfloat16()
matrices = {
    "random": random,
    "zeros": torch.zeros_like(random),
    "ones": torch.ones_like(random),
    "signs": random.sign(),
    "one in eight": random * (torch.rand_like(random) < 1 / 8),
}
# --8<-- [end:data]


# --8<-- [start:time]
def median_ms(fn, rep):
    return triton.testing.do_bench(
        fn, warmup=200, rep=rep, quantiles=[0.5, 0.2, 0.8]
    )[0]


print("== 19.1.5 a product of 8192 x 8192 ==")
rates = {name: [] for name in matrices}
states = {}
for _ in range(ROUNDS):  # in turn, so that none is always first
    for name, a in matrices.items():
        ms = median_ms(lambda: matmul_persistent(a, a), 150)
        rates[name].append(2 * SIZE**3 / ms / 1e9)
        for _ in range(200):  # still running while we ask
            matmul_persistent(a, a)
        states[name] = ask()
        torch.cuda.synchronize()
usual = statistics.median(rates["random"])
for name, seen in rates.items():
    rate = statistics.median(seen)
    print(f"{name} TFLOP/s: {rate:.0f}")
    print(f"{name} over random: {rate / usual:.2f}")
    print(f"{name} clock MHz: {states[name][0]:.0f}")
    print(f"{name} power W: {states[name][1]:.0f}")

print("== a copy of 2**28 floats ==")
for name in ("random", "zeros"):
    x = torch.randn(N, device="cuda") * (name == "random")
    out = torch.empty_like(x)
    ms = median_ms(lambda: out.copy_(x), 100)
    print(f"copy of {name} GB/s: {8 * N / ms / 1e6:.0f}")
# --8<-- [end:time]
