"""19.1.3 and 19.1.4: three stopwatches for one kernel, from a
thousand elements to a quarter of a billion."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* host us" = { kind = "measured", within = 1.5 }
# "* host GB/s" = { kind = "measured", within = 1.5 }
# "* us" = { kind = "measured", within = 0.9 }
# "* GB/s" = { kind = "measured", within = 0.9 }
# ///

import statistics
import time

import torch
import triton
from triton.testing import do_bench, do_bench_cudagraph

from ch12_elementwise.fma_relu import fma_relu_kernel

BLOCK = 1024
MEDIAN = [0.5]


# --8<-- [start:watches]
def by_host(fn):
    """The host's clock around each call and a wait, median."""
    times = []
    for _ in range(100):
        torch.cuda.synchronize()
        start = time.perf_counter()
        fn()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return 1e6 * statistics.median(times)


def by_do_bench(fn):
    return 1000 * do_bench(fn, rep=50, quantiles=MEDIAN)


def by_graph(fn):
    """A graph of many calls, one after the other."""
    return 1000 * do_bench_cudagraph(fn, rep=20, quantiles=MEDIAN)


WATCHES = {"host": by_host, "do_bench": by_do_bench, "graph": by_graph}
# --8<-- [end:watches]


def launch(x, out):
    n = x.numel()
    grid = (triton.cdiv(n, BLOCK),)
    fma_relu_kernel[grid](x, out, 1.1, -0.3, n, BLOCK=BLOCK)


# --8<-- [start:tiny]
print("== 19.1.3 a thousand elements ==")
x = torch.randn(1024, device="cuda")
out = torch.empty_like(x)


def chain():
    for _ in range(50):
        torch.add(x, x, out=out)


calls = {
    "Triton": lambda: launch(x, out),
    "torch": lambda: torch.add(x, x, out=out),
    "fifty of torch": chain,
}
for name, fn in calls.items():
    for watch, measure in WATCHES.items():
        print(f"{name}, {watch} us: {measure(fn):.2f}")
# --8<-- [end:tiny]

# --8<-- [start:sizes]
print("== 19.1.4 a warm cache ==")
cache = torch.cuda.get_device_properties(0).L2_cache_size
print(f"L2 bytes: {cache}")
for power in range(10, 29, 2):
    n = 2**power
    x = torch.randn(n, device="cuda")
    out = torch.empty_like(x)
    launch(x, out)
    copy = by_do_bench(lambda: out.copy_(x))
    print(f"n {n} bytes: {8 * n}")
    print(f"n {n} copy GB/s: {8 * n / copy / 1e3:.2f}")
    for watch, measure in WATCHES.items():
        us = measure(lambda: launch(x, out))
        print(f"n {n} {watch} us: {us:.2f}")
        print(f"n {n} {watch} GB/s: {8 * n / us / 1e3:.2f}")
# --8<-- [end:sizes]
