"""18.1: a search over row sums, at four shapes of the same bytes."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* ms" = { kind = "measured", within = 0.4 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "best over *" = { kind = "measured", within = 0.25 }
# "slowest over *" = { kind = "measured", within = 0.4 }
# "* s" = { kind = "volatile" }
# "winner" = { kind = "volatile" }
# "tuned *" = { kind = "volatile" }
# [speed."row sums tuned, 16384 x 8192 bf16"]
# library = "torch.sum"
# over_library = "[16384 x 8192 | best over torch.sum]"
# ceiling = "a copy's rate"
# of_ceiling = "[16384 x 8192 | best over copy]"
# ///

from concurrent.futures import ThreadPoolExecutor

import torch
import triton

from ch18_autotuning.sum_space import (
    compile_ahead,
    run_sum,
    short_bench,
    tuned_sum,
)

SIZE = 2**27  # elements of two bytes at every shape
COLS = (256, 8192, 2**17, 2**21)
QUANTILES = [0.5, 0.2, 0.8]


# --8<-- [start:table]
def name(config):
    """A config in words, its tile at the place of x in a plot."""
    rows, cols = config.kwargs["ROWS"], config.kwargs["COLS"]
    return f"ROWS {rows} TILE {rows * cols} warps {config.num_warps}"


torch.manual_seed(0)
x = torch.randn(SIZE, device="cuda").bfloat16()
out = torch.empty_like(x)
ms = short_bench(lambda: out.copy_(x), QUANTILES)[0]
copy_rate = 4 * SIZE / ms / 1e6  # a copy reads and writes
print("== a copy ==")
print(f"bytes of x: {2 * SIZE}")
print(f"copy GB/s: {copy_rate:.0f}")

kernel = tuned_sum()
timings = {}
sums = torch.empty(1, device="cuda")
with ThreadPoolExecutor(16) as pool:
    compile_ahead(kernel, pool, x, sums, 16, 16, 16)
for cols in COLS:
    matrix = x.view(-1, cols)
    rows = matrix.shape[0]
    print(f"== {rows} x {cols} ==")
    sums = run_sum(kernel, matrix)  # searches
    print(f"searched for s: {kernel.bench_time:.2f}")
    exact = matrix.double().sum(1)
    error = (sums - exact).abs().max() / exact.abs().max()
    print(f"right: {bool(error < 1e-5)}")
    times = {c: t[0] for c, t in kernel.configs_timings.items()}
    timings[f"{rows} x {cols}"] = times
    for config, ms in times.items():
        print(f"{name(config)} ms: {ms:.4f}")
    ms = short_bench(
        lambda: matrix.sum(1, dtype=torch.float32), QUANTILES
    )[0]
    best = min(times.values())
    rate = 2 * SIZE / best / 1e6
    print(f"torch.sum ms: {ms:.4f}")
    print(f"winner: {name(kernel.best_config)}")
    print(f"winner ms: {best:.4f}")
    print(f"winner GB/s: {rate:.0f}")
    print(f"best over torch.sum: {ms / best:.2f}")
    print(f"best over copy: {rate / copy_rate:.3f}")
    print(f"slowest over best: {max(times.values()) / best:.2f}")
# --8<-- [end:table]

# --8<-- [start:moved]
print("== the winner of one shape at another ==")
for tuned, times in timings.items():
    config = min(times, key=times.get)
    for run, others in timings.items():
        ratio = others[config] / min(others.values())
        print(f"tuned {tuned}, run {run}: {ratio:.2f}")
# --8<-- [end:moved]
