"""10.1.3 on a GPU: what a warm launch costs the host, and what makes
it dearer or cheaper."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* us" = { kind = "measured", within = 0.5 }
# "* over torch.add" = { kind = "measured", within = 0.5 }
# ///

import statistics
import time

import torch
import triton
import triton.language as tl

from ch12_elementwise.fma_relu import fma_relu_kernel, fused_fma_relu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 1024
ROUNDS = 21
LAUNCHES = 200  # in a round: fewer than the queue holds


# --8<-- [start:kernels]
@triton.jit
def one_argument_kernel(
    out_ptr,  # address of one float32
):
    tl.store(out_ptr, 1.0)


@triton.jit
def sixteen_arguments_kernel(
    out_ptr,  # address of one float32
    a, b, c, d, e,  # numbers that nobody reads
    f, g, h, i, j,
    k, l, m, n, o,
):
    tl.store(out_ptr, 1.0)
# --8<-- [end:kernels]


# --8<-- [start:time]
def host_us(launch):
    """Microseconds of the host's time for one call, median."""
    times = []
    for _ in range(ROUNDS):
        torch.cuda.synchronize()
        start = time.perf_counter()
        for _ in range(LAUNCHES):
            launch()
        times.append(time.perf_counter() - start)
    return 1e6 * statistics.median(times) / LAUNCHES
# --8<-- [end:time]


# --8<-- [start:calls]
x = torch.randn(N, device=DEVICE)
out = torch.empty_like(x)
nothing = torch.empty(0, device=DEVICE)
fifteen = list(range(2, 17))
args = (x, out, 2.0, 1.0, N)
grid = (1,)
compiled = fma_relu_kernel[grid](*args, BLOCK=N)
bound = fma_relu_kernel[grid]
one_argument_kernel[grid](out)
sixteen_arguments_kernel[grid](out, *fifteen)
calls = {
    "torch.add": lambda: torch.add(x, x, out=out),
    "torch.add of nothing":
        lambda: torch.add(nothing, nothing, out=nothing),
    "launch": lambda: fma_relu_kernel[grid](*args, BLOCK=N),
    "callable grid":
        lambda: fma_relu_kernel[lambda meta: grid](*args, BLOCK=N),
    "bound once": lambda: bound(*args, BLOCK=N),
    "compiled object": lambda: compiled[(1, 1, 1)](*args, N),
    "one argument": lambda: one_argument_kernel[grid](out),
    "sixteen arguments":
        lambda: sixteen_arguments_kernel[grid](out, *fifteen),
    "wrapper": lambda: fused_fma_relu(x, 2.0, 1.0),
}
# --8<-- [end:calls]

# --8<-- [start:graph]
graph = torch.cuda.CUDAGraph()
with torch.cuda.graph(graph):
    for _ in range(100):
        fma_relu_kernel[grid](*args, BLOCK=N)


def replay_us():
    """Microseconds for one of the hundred, kernels included."""
    times = []
    for _ in range(ROUNDS):
        torch.cuda.synchronize()
        start = time.perf_counter()
        graph.replay()
        torch.cuda.synchronize()
        times.append(time.perf_counter() - start)
    return 1e6 * statistics.median(times) / 100
# --8<-- [end:graph]


print("== host time of a call ==")
ceiling = host_us(calls["torch.add"])
for name, call in calls.items():
    us = host_us(call)
    print(f"{name} us: {us:.2f}")
    print(f"{name} over torch.add: {us / ceiling:.2f}")
print("== a graph of a hundred ==")
us = replay_us()
print(f"one of them us: {us:.2f}")
print(f"one of them over torch.add: {us / ceiling:.2f}")
correct = torch.relu(2.0 * x + 1.0)
print(f"right: {torch.allclose(fused_fma_relu(x, 2.0, 1.0), correct)}")
