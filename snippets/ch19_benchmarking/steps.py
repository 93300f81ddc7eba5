"""19.2.3: what each part of the stopwatch is good for: the same
kernels, timed with one part missing."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* us" = { kind = "measured", within = 0.6 }
# ///

import torch

from ch12_elementwise.fma_relu import fused_fma_relu

CALLS = 200


# --8<-- [start:without]
def median_us(fn, flush=True, pairs=True):
    """Events around each call, or around all of them."""
    fn()
    torch.cuda.synchronize()
    cache = torch.empty(2**26, dtype=torch.int32, device="cuda")
    start, end = [
        [torch.cuda.Event(enable_timing=True) for _ in range(CALLS)]
        for _ in range(2)
    ]
    for call in range(CALLS):
        if flush:
            cache.zero_()
        if pairs or call == 0:
            start[call].record()
        fn()
        if pairs or call == CALLS - 1:
            end[call].record()
    torch.cuda.synchronize()
    if not pairs:
        return 1000 * start[0].elapsed_time(end[-1]) / CALLS
    times = sorted(s.elapsed_time(e) for s, e in zip(start, end))
    return 1000 * times[CALLS // 2]
# --8<-- [end:without]


# --8<-- [start:demo]
ways = {
    "all of it": {},
    "no flush": {"flush": False},
    "one pair": {"pairs": False},
    "one pair, no flush": {"pairs": False, "flush": False},
}
empty = lambda: None
for power in (10, 20, 22, 26):
    x = torch.randn(2**power, device="cuda")
    print(f"== 2**{power} floats ==")
    for name, parts in ways.items():
        us = median_us(lambda: fused_fma_relu(x, 1.1, -0.3), **parts)
        print(f"{name} us: {us:.2f}")
print("== nothing ==")
print(f"two events us: {median_us(empty):.2f}")
# --8<-- [end:demo]
