"""18.3: what keys cost and what they lose, at sixteen shapes, and at
an alignment that no key holds."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# [labels]
# "* s" = { kind = "volatile" }
# "* loses" = { kind = "volatile" }
# "aligned *" = { kind = "measured", within = 0.3 }
# "shifted *" = { kind = "measured", within = 0.3 }
# ///

import random
from concurrent.futures import ThreadPoolExecutor

import torch
import triton

from ch18_autotuning.bucketed import run_bucketed, sum_bucket_kernel
from ch18_autotuning.sum_space import (
    compile_ahead,
    run_sum,
    short_bench,
    sum_config,
    tuned_sum,
)

SIZE = 2**26  # about so many elements at every shape

# --8<-- [start:demo]
CONFIGS = [
    sum_config(rows, tile, warps)
    for rows, tile in ((1, 1024), (1, 4096), (1, 16384), (16, 4096))
    for warps in (4, 16)
]
KEYS = {
    "exact": ["rows", "cols"],
    "rounded": ["rows_about", "cols_about"],
    "none": [],
}


def tuned(key):
    return triton.autotune(CONFIGS, key=key, do_bench=short_bench)(
        sum_bucket_kernel
    )


random.seed(0)
shapes = []
for _ in range(16):
    cols = 16 * round(2 ** random.uniform(3, 17))  # 128 to 2**21
    shapes.append((SIZE // cols, cols))
torch.manual_seed(0)
x = torch.randn(SIZE, device="cuda").bfloat16()
sums = torch.empty(1, device="cuda")
with ThreadPoolExecutor(16) as pool:
    for rows in (16, 17):  # a multiple of 16, and not
        compile_ahead(tuned([]), pool, x, sums, rows, 16, 16, 4, 4)
    compile_ahead(tuned_sum(CONFIGS), pool, x, sums, 16, 16, 16)

timings = {}
for title, key in KEYS.items():
    kernel = tuned(key)
    seconds, searches, losses = 0.0, 0, []
    for rows, cols in shapes:
        known = len(kernel.cache)
        run_bucketed(kernel, x[: rows * cols].view(rows, cols))
        if len(kernel.cache) > known:
            searches += 1
            seconds += kernel.bench_time
        if title == "exact":
            timings[rows, cols] = kernel.configs_timings
        times = timings[rows, cols]
        losses.append(
            times[kernel.best_config][0] / min(times.values())[0]
        )
    print(f"== key: {title} ==")
    print(f"searches: {searches}")
    print(f"searched for s: {seconds:.2f}")
    print(f"on average loses: {sum(losses) / len(losses):.3f}")
    print(f"at worst loses: {max(losses):.3f}")
# --8<-- [end:demo]

# --8<-- [start:aligned]
print("== aligned rows, and the same rows shifted by one ==")
x = x.view(-1, 8192)[:, :8176]
y = torch.randn(8192, 8193, device="cuda").bfloat16()[:, 1:8177]
kernel, again = tuned_sum(CONFIGS), tuned_sum(CONFIGS)
for title, tuner, matrix in (
    ("aligned", kernel, x),
    ("shifted", again, y),
):
    run_sum(tuner, matrix)
    times = {c: t[0] for c, t in tuner.configs_timings.items()}
    for config, ms in times.items():
        tile = config.kwargs["ROWS"] * config.kwargs["COLS"]
        rows, warps = config.kwargs["ROWS"], config.num_warps
        name = f"ROWS {rows} TILE {tile} warps {warps}"
        print(f"{title} {name} ms: {ms:.4f}")
known = len(kernel.cache)
run_sum(kernel, y)
print(f"shifted, searches: {len(kernel.cache) - known}")
ratio = times[kernel.best_config] / min(times.values())
print(f"the aligned winner, shifted, loses: {ratio:.3f}")
# --8<-- [end:aligned]
