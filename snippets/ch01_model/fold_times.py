"""1.2, on a GPU: what a known width saves, and what each new one
costs."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "*, median ms" = { kind = "measured", within = 2 }
# "fill ms" = { kind = "measured", within = 0.3 }
# "*, width * ms" = { kind = "measured", within = 0.3 }
# "* share of the fill" = { kind = "measured", within = 0.3 }
# "constexpr over run time" = { kind = "measured", within = 2 }
# ///

import statistics
import time

import torch
import triton

from ch01_model.fold import columns

N = 2**28
WIDTHS = range(97, 112)  # none of them divisible by 16

# --8<-- [start:demo]
columns(N, 95, False)  # everything that a process does once
columns(N, 95, True)
print("== a width that was not seen before ==")
medians = []
for name, fixed in [("run time", False), ("constexpr", True)]:
    times = []
    for width in WIDTHS:
        torch.cuda.synchronize()
        start = time.perf_counter()
        columns(1024, width, fixed)
        torch.cuda.synchronize()
        times.append(1000 * (time.perf_counter() - start))
    medians.append(statistics.median(times))
    print(f"{name}, median ms: {medians[-1]:.3f}")
ratio = medians[1] / medians[0]
print(f"constexpr over run time: {ratio:.0f}")

print("== 2**28 int32 written ==")
out = torch.empty(N, dtype=torch.int32, device="cuda")
fill_ms = triton.testing.do_bench(
    lambda: out.fill_(3), quantiles=[0.5, 0.2, 0.8]
)[0]
print("bytes written:", 4 * N)
print(f"fill ms: {fill_ms:.4f}")
for name, fixed in [("run time", False), ("constexpr", True)]:
    for width in [97, 128]:
        ms = triton.testing.do_bench(
            lambda: columns(N, width, fixed, block=1024),
            quantiles=[0.5, 0.2, 0.8],
        )[0]
        print(f"{name}, width {width} ms: {ms:.4f}")
        share = fill_ms / ms
        print(f"{name}, width {width} share of the fill: {share:.2f}")
# --8<-- [end:demo]
