"""18.5: one search, again and again: who wins, by how much, and the
bits that change with the winner."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* ms" = { kind = "volatile" }
# "runner-up over winner" = { kind = "volatile" }
# "* winners" = { kind = "volatile" }
# "wins" = { kind = "volatile" }
# "* bits" = { kind = "volatile" }
# ///

from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import torch

from ch18_autotuning.sum_space import (
    compile_ahead,
    run_sum,
    tuned_sum,
)

RUNS = 8


# --8<-- [start:demo]
def search_again(x):
    """The same search RUNS times; who wins, and with which bits."""
    wins, best, results = Counter(), [], {}
    for _ in range(RUNS):
        kernel = tuned_sum()
        out = run_sum(kernel, x)
        config = kernel.best_config
        rows, cols = config.kwargs["ROWS"], config.kwargs["COLS"]
        tile, warps = rows * cols, config.num_warps
        wins[f"ROWS {rows} TILE {tile} warps {warps}"] += 1
        times = sorted(t[0] for t in kernel.configs_timings.values())
        best.append(times[0])
        results[out.cpu().numpy().tobytes()] = out
    print(f"searches: {RUNS}")
    print(f"different winners: {len(wins)}")
    for_each = [f"{n} x {name}" for name, n in wins.most_common()]
    print(f"wins: {'; '.join(for_each)}")
    print(f"fastest winner ms: {min(best):.4f}")
    print(f"slowest winner ms: {max(best):.4f}")
    print(f"runner-up over winner: {times[1] / times[0]:.3f}")
    print(f"different results in bits: {len(results)}")
    return results.values()
# --8<-- [end:demo]


torch.manual_seed(0)
with ThreadPoolExecutor(16) as pool:
    sums = torch.empty(1, device="cuda")
    x = torch.empty(1, device="cuda", dtype=torch.bfloat16)
    compile_ahead(tuned_sum(), pool, x, sums, 16, 16, 16)
for rows, cols in ((8192, 8192), (8192, 1024)):
    print(f"== {rows} x {cols}, again and again ==")
    x = torch.randn(rows, cols, device="cuda").bfloat16()
    exact, scale = x.double().sum(1), x.double().abs().sum(1).max()
    right = all(
        (out - exact).abs().max() < 1e-6 * scale
        for out in search_again(x)
    )
    print(f"all right: {right}")
