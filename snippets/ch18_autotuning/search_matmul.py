"""18.1: a search over the matmul of 13.3, at four shapes; 18.4: the
same search with bad configs thrown out before they run."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# [labels]
# "* ms" = { kind = "measured", within = 0.4 }
# "* TFLOP/s" = { kind = "measured", within = 0.3 }
# "best over *" = { kind = "measured", within = 0.3 }
# "slowest over *" = { kind = "measured", within = 0.4 }
# "* s" = { kind = "volatile" }
# "winner" = { kind = "volatile" }
# "tuned *" = { kind = "volatile" }
# "* loses" = { kind = "volatile" }
# [speed."matmul tuned, pointers, 4096 x 4096 x 4096 bf16"]
# library = "torch.matmul"
# over_library = "[4096 x 4096 x 4096 | best over cuBLAS]"
# ceiling = "the fastest cuBLAS in the run"
# of_ceiling = "[4096 x 4096 x 4096 | best over fastest cuBLAS]"
# ///

from concurrent.futures import ThreadPoolExecutor

import torch

from ch18_autotuning.matmul_space import (
    MATMUL_SPACE,
    run_matmul,
    tuned_matmul,
)
from ch18_autotuning.prune import drop_by_facts, estimated_cycles
from ch18_autotuning.sum_space import compile_ahead, short_bench

SHAPES = (
    (4096, 4096, 4096),
    (1024, 1024, 1024),
    (4096, 4096, 256),
    (64, 8192, 8192),
)
QUANTILES = [0.5, 0.2, 0.8]


def name(config):
    tile = "x".join(
        str(config.kwargs[f"BLOCK_{axis}"]) for axis in "MNK"
    )
    stages = config.num_stages
    return f"{tile} warps {config.num_warps} stages {stages}"


# --8<-- [start:table]
torch.manual_seed(0)
kernel = tuned_matmul()
timings, fastest = {}, 0
for m, n, k in SHAPES:
    a = torch.randn(m, k, device="cuda").bfloat16()
    b = torch.randn(k, n, device="cuda").bfloat16()
    args = (a, b, a, m, n, k, *a.stride(), *b.stride())
    if not timings:
        with ThreadPoolExecutor(16) as pool:
            compile_ahead(kernel, pool, *args)
    shape = f"{m} x {n} x {k}"
    print(f"== {shape} ==")
    product = run_matmul(kernel, a, b)  # searches
    print(f"searched for s: {kernel.bench_time:.2f}")
    exact = a.float() @ b.float()
    error = (product - exact).abs().max() / exact.abs().max()
    print(f"right: {bool(error < 1e-2)}")
    times = {c: t[0] for c, t in kernel.configs_timings.items()}
    timings[shape] = times
    for config, ms in times.items():
        print(f"{name(config)} ms: {ms:.4f}")
    ms = short_bench(lambda: a @ b, QUANTILES)[0]
    best, operations = min(times.values()), 2 * m * n * k / 1e9
    fastest = max(fastest, operations / ms)
    finite = [t for t in times.values() if t < float("inf")]
    print(f"cuBLAS ms: {ms:.4f}")
    print(f"winner: {name(kernel.best_config)}")
    print(f"winner ms: {best:.4f}")
    print(f"winner TFLOP/s: {operations / best:.0f}")
    print(f"best over cuBLAS: {ms / best:.3f}")
    rate = operations / best
    print(f"best over fastest cuBLAS: {rate / fastest:.3f}")
    print(f"slowest over best: {max(finite) / best:.1f}")
    print(f"never ran: {len(times) - len(finite)}")
# --8<-- [end:table]

print("== the winner of one shape at another ==")
for tuned, times in timings.items():
    config = min(times, key=times.get)
    for run, others in timings.items():
        ratio = others[config] / min(others.values())
        print(f"tuned {tuned}, run {run}: {ratio:.2f}")

# --8<-- [start:pruned]
m, n, k = SHAPES[0]
times = timings[f"{m} x {n} x {k}"]
a = torch.randn(m, k, device="cuda").bfloat16()
b = torch.randn(k, n, device="cuda").bfloat16()
by_facts = {"early_config_prune": drop_by_facts}
by_model = {"perf_model": estimated_cycles, "top_k": 4}
for title, prune in (
    ("nothing", None),
    ("facts", by_facts),
    ("facts and a model", by_facts | by_model),
):
    kernel = tuned_matmul(prune_configs_by=prune)
    run_matmul(kernel, a, b)
    print(f"== pruned by {title} ==")
    print(f"configs timed: {len(kernel.configs_timings)}")
    print(f"timing took s: {kernel.bench_time:.2f}")
    ratio = times[kernel.best_config] / min(times.values())
    print(f"winner: {name(kernel.best_config)}")
    print(f"its choice loses: {ratio:.2f}")
# --8<-- [end:pruned]
