"""A real search on a GPU: every config's time, the winner, and the
ceiling that a plain copy sets in the same run."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "BLOCK=*" = { kind = "measured", within = 0.25 }
# "copy *" = { kind = "measured", within = 0.25 }
# "winner" = { kind = "volatile" }
# "winner *" = { kind = "measured", within = 0.25 }
# "slowest *" = { kind = "measured", within = 0.25 }
# ///

import torch
import triton

from ch02_parameterization.autotune_attempt import (
    add,
    autotuned_add,
)

N = 2**26

# --8<-- [start:demo]
kernel = triton.autotune(
    configs=[
        triton.Config({"BLOCK": block}, num_warps=warps)
        for block in [64, 256, 1024, 4096]
        for warps in [2, 8]
    ],
    key=["n"],
)(autotuned_add.fn)

torch.manual_seed(0)
x = torch.randn(N, device="cuda")
y = torch.randn(N, device="cuda")
out = add(kernel, x, y)  # compiles, runs and times every config

add_bytes = 3 * 4 * N  # two reads and one write of four bytes
copy_bytes = 2 * 4 * N  # one read and one write
copy_ms = triton.testing.do_bench(
    lambda: out.copy_(x), quantiles=[0.5, 0.2, 0.8]
)[0]
copy_rate = copy_bytes / copy_ms / 1e6
print("== the ceiling ==")
print("n:", N)
print("bytes of the add:", add_bytes)
print("bytes of the copy:", copy_bytes)
print(f"copy ms: {copy_ms:.4f}")
print(f"copy GB/s: {copy_rate:.0f}")

print("== every config: ms, GB/s, share of the copy's GB/s ==")
times = {c: t[0] for c, t in kernel.configs_timings.items()}
for config, ms in times.items():
    rate = add_bytes / ms / 1e6
    name = f"BLOCK={config.kwargs['BLOCK']} warps={config.num_warps}"
    share = rate / copy_rate
    print(f"{name}: {ms:.4f} {rate:.0f} {share:.2f}")

print("== the result ==")
best, worst = min(times.values()), max(times.values())
print("configs timed:", len(times))
print("winner:", kernel.best_config)
print(f"winner ms: {best:.4f}")
print(f"winner GB/s: {add_bytes / best / 1e6:.0f}")
print(f"winner share: {add_bytes / best / 1e6 / copy_rate:.2f}")
print(f"slowest over fastest: {worst / best:.2f}")
print("right:", torch.equal(add(kernel, x, y), x + y))
# --8<-- [end:demo]
