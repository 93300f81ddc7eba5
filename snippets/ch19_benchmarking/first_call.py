"""19.1.2: a mean of a hundred calls, the first of them included."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* ms" = { kind = "measured", within = 0.6 }
# "* over warm" = { kind = "measured", within = 0.6 }
# ///

import statistics
import time

import torch
import triton

from ch12_elementwise.fma_relu import fma_relu_kernel

N = 2**26
BLOCK = 1024
CALLS = 100


# --8<-- [start:samples]
def samples_ms(kernel, n):
    """Each of a hundred calls by itself, waited for."""
    times = []
    for _ in range(CALLS):
        torch.cuda.synchronize()
        start = time.perf_counter()
        grid = (triton.cdiv(n, BLOCK),)
        kernel[grid](x, out, 1.1, -0.3, n, BLOCK=BLOCK)
        torch.cuda.synchronize()
        times.append(1000 * (time.perf_counter() - start))
    return times
# --8<-- [end:samples]


# --8<-- [start:demo]
torch.manual_seed(0)
x = torch.randn(N, device="cuda")
out = torch.relu(x)  # wakes the GPU, not Triton
again = triton.jit(fma_relu_kernel.fn)  # nothing of it in memory
cases = {
    "first run": (fma_relu_kernel, N),
    "second run": (again, N),  # what it compiled is on the disk
    "one element less": (fma_relu_kernel, N - 1),
    "warm": (fma_relu_kernel, N),
}
print("== 19.1.2 with the first call ==")
means = {}
for name, (kernel, n) in cases.items():
    times = samples_ms(kernel, n)
    means[name] = statistics.mean(times)
    print(f"{name}, first call ms: {times[0]:.2f}")
    print(f"{name}, mean ms: {means[name]:.4f}")
    print(f"{name}, median ms: {statistics.median(times):.4f}")
for name, mean in means.items():
    print(f"{name}, mean over warm: {mean / means['warm']:.1f}")
# --8<-- [end:demo]
