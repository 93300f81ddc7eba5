"""Trap of 19.2: how many samples, and which of them you look at."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* ms" = { kind = "measured", within = 0.4 }
# "* samples" = { kind = "measured", within = 0.3 }
# "* over smallest" = { kind = "measured", within = 0.4 }
# ///

import statistics
import time

import torch
from triton.testing import do_bench

from ch12_elementwise.fma_relu import fused_fma_relu
from ch13_matmul.persistent import matmul_persistent

# --8<-- [start:counts]
torch.manual_seed(0)
x = torch.randn(2**26, device="cuda")
a = torch.randn(8192, 8192, device="cuda").bfloat16()
cases = {
    "fused": lambda: fused_fma_relu(x, 1.1, -0.3),
    "product": lambda: matmul_persistent(a, a),
}
print("== trap of 19.2: milliseconds, not calls ==")
for name, fn in cases.items():
    for rep in (1, 10, 100):
        times = do_bench(fn, warmup=rep, rep=rep, return_mode="all")
        print(f"{name}, rep {rep} samples: {len(times)}")
# --8<-- [end:counts]

# --8<-- [start:spread]
print("== trap of 19.2: twenty results ==")
for rep in (1, 100):
    results = [
        do_bench(cases["fused"], warmup=rep, rep=rep,
                 return_mode="median")
        for _ in range(20)
    ]  # fmt: skip
    print(f"rep {rep} smallest ms: {min(results):.4f}")
    print(f"rep {rep} largest ms: {max(results):.4f}")
    over = max(results) / min(results)
    print(f"rep {rep} largest over smallest: {over:.3f}")
# --8<-- [end:spread]

# --8<-- [start:outlier]
calls = 0


def interrupted():
    """Every fiftieth call, the host has something else to do."""
    global calls
    calls += 1
    if calls % 50 == 0:
        time.sleep(0.03)
    return cases["fused"]()


print("== trap of 19.2: a mean ==")
for name, fn in (("left alone", cases["fused"]),
                 ("interrupted", interrupted)):  # fmt: skip
    times = do_bench(fn, return_mode="all")
    print(f"{name} smallest ms: {min(times):.4f}")
    print(f"{name} median ms: {statistics.median(times):.4f}")
    print(f"{name} mean ms: {statistics.mean(times):.4f}")
# --8<-- [end:outlier]
