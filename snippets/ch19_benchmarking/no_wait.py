"""19.1.1: the host's stopwatch around launches, with and without a
wait at its end, and with work of others before it."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* ms" = { kind = "measured", within = 0.6 }
# "* GB/s" = { kind = "measured", within = 0.6 }
# "* over copy" = { kind = "measured", within = 0.6 }
# ///

import time

import torch
import triton.testing

from ch12_elementwise.fma_relu import fused_fma_relu

N = 2**26
BYTES = 8 * N  # read once, written once, float32


# --8<-- [start:clock]
def clock_ms(fn, calls, wait):
    """Milliseconds of the host's clock for each of some calls."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    for _ in range(calls):
        fn()
    if wait:
        torch.cuda.synchronize()
    return 1000 * (time.perf_counter() - start) / calls
# --8<-- [end:clock]


# --8<-- [start:demo]
x = torch.randn(N, device="cuda")
out = torch.empty_like(x)
fn = lambda: fused_fma_relu(x, 1.1, -0.3)
fn()  # the first call compiles
copy = triton.testing.do_bench(
    lambda: out.copy_(x), quantiles=[0.5, 0.2, 0.8]
)[0]
right = triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]
print("== 19.1.1 without a wait ==")
print(f"copy GB/s: {BYTES / copy / 1e6:.0f}")
print(f"do_bench ms: {right:.4f}")
print(f"do_bench GB/s: {BYTES / right / 1e6:.0f}")
for calls in (10, 100, 1000, 2000, 4000, 8000):
    for name, wait in (("no wait", False), ("wait", True)):
        ms = clock_ms(fn, calls, wait)
        print(f"{calls} calls {name} ms: {ms:.4f}")
        print(f"{calls} calls {name} GB/s: {BYTES / ms / 1e6:.0f}")
        print(f"{calls} calls {name} over copy: {copy / ms:.2f}")
# --8<-- [end:demo]

# --8<-- [start:before]
torch.cuda.synchronize()
for _ in range(100):
    out.copy_(x)  # somebody else's work, still in the queue
start = time.perf_counter()
fn()
torch.cuda.synchronize()
ms = 1000 * (time.perf_counter() - start)
print(f"no wait before, one call ms: {ms:.3f}")
# --8<-- [end:before]
