"""14.2 on a GPU: what a stopwatch leaves in the L2 cache."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* ms" = { kind = "measured", within = 0.2 }
# "* over copy" = { kind = "measured", within = 0.2 }
# ///

import torch

from ch14_reductions.sum_rows import sum_rows

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS, COLS = 16384, 8192
CALLS = 100


# --8<-- [start:stopwatch]
def median_ms(empty_the_cache, fn):
    pairs = []
    for _ in range(CALLS):
        empty_the_cache()
        start = torch.cuda.Event(enable_timing=True)
        end = torch.cuda.Event(enable_timing=True)
        start.record()
        fn()
        end.record()
        pairs.append((start, end))
    torch.cuda.synchronize()
    return sorted(a.elapsed_time(b) for a, b in pairs)[CALLS // 2]
# --8<-- [end:stopwatch]


# --8<-- [start:time]
torch.manual_seed(0)
x = torch.randn(ROWS, COLS, device=DEVICE).to(torch.bfloat16)
out = torch.empty_like(x)
other = torch.zeros(2**26, device=DEVICE)  # 256 MiB
total = torch.empty((), device=DEVICE)
ways = {  # two ways to push x out of the cache
    "written": other.zero_,
    "read": lambda: torch.sum(other, 0, out=total),
}
cases = {
    "copy": (lambda: out.copy_(x), 2),
    "plain sums": (lambda: sum_rows(x, evict=""), 1),
    "evict_first": (lambda: sum_rows(x), 1),
}
for way, empty_the_cache in ways.items():
    for name, (fn, times) in cases.items():
        fn()
        ms = median_ms(empty_the_cache, fn)
        rate = times * x.numel() * 2 / ms
        if name == "copy":
            ceiling = rate
        print(f"{way}, {name} ms: {ms:.4f}")
        print(f"{way}, {name} over copy: {rate / ceiling:.3f}")
# --8<-- [end:time]
