"""A real search on a GPU: every config's time, the winner, and the
ceiling that a plain copy sets in the same run."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "BLOCK *" = { kind = "measured", within = 0.25 }
# "torch.add *" = { kind = "measured", within = 0.25 }
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
quantiles = [0.5, 0.2, 0.8]
copy_ms = triton.testing.do_bench(
    lambda: out.copy_(x), quantiles=quantiles
)[0]
torch_ms = triton.testing.do_bench(
    lambda: torch.add(x, y, out=out), quantiles=quantiles
)[0]
copy_rate = copy_bytes / copy_ms / 1e6
torch_rate = add_bytes / torch_ms / 1e6
print("== the ceiling ==")
l2 = torch.cuda.get_device_properties(0).L2_cache_size
print("L2 bytes:", l2)
print("n:", N)
print("bytes of the add:", add_bytes)
print("bytes of the copy:", copy_bytes)
print(f"copy ms: {copy_ms:.4f}")
print(f"copy GB/s: {copy_rate:.0f}")
print(f"torch.add ms: {torch_ms:.4f}")
print(f"torch.add GB/s: {torch_rate:.0f}")
print(f"torch.add share: {torch_rate / copy_rate:.2f}")

print("== every config: ms, GB/s, share of the copy's GB/s ==")
times = {c: t[0] for c, t in kernel.configs_timings.items()}
for config, ms in times.items():
    rate = add_bytes / ms / 1e6
    block, warps = config.kwargs["BLOCK"], config.num_warps
    share = rate / copy_rate
    name = f"BLOCK {block} warps {warps}"
    print(f"{name}: {ms:.4f} {rate:.0f} {share:.2f}")

print("== the result ==")
best, worst = min(times.values()), max(times.values())
print("configs timed:", len(times))
print("winner:", kernel.best_config)
print(f"winner ms: {best:.4f}")
print(f"winner GB/s: {add_bytes / best / 1e6:.0f}")
print(f"winner share: {add_bytes / best / 1e6 / copy_rate:.2f}")
print(f"winner over torch.add, in GB/s: {torch_ms / best:.2f}")
print(f"slowest over fastest: {worst / best:.2f}")
print("right:", torch.equal(add(kernel, x, y), x + y))
# --8<-- [end:demo]
