"""1.1, on a GPU: what a first launch costs and what a later one, and
whether the clamp costs anything."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.6 }
# "* us" = { kind = "measured", within = 0.6 }
# "* over *" = { kind = "measured", within = 0.6 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "* share of the copy" = { kind = "measured", within = 0.25 }
# ///

import statistics
import time

import torch
import triton

from ch01_model.relu_toggle import _relu_toggle_kernel

N = 2**28


# --8<-- [start:wall]
def wall_ms(launch):
    """Milliseconds until the launch and its kernel are done."""
    torch.cuda.synchronize()
    start = time.perf_counter()
    launch()
    torch.cuda.synchronize()
    return 1000 * (time.perf_counter() - start)


def relu(kernel, x, out, use_relu):
    n = x.numel()
    grid = (triton.cdiv(n, 1024),)
    kernel[grid](x, out, n, USE_RELU=use_relu, BLOCK=1024)
# --8<-- [end:wall]


def median_us(launch):
    return 1000 * statistics.median(
        wall_ms(launch) for _ in range(500)
    )


# --8<-- [start:cold]
torch.manual_seed(0)
x = torch.randn(1024, device="cuda")
out = torch.empty_like(x)
torch.clamp_min(x, 0.0, out=out)  # wakes the GPU, not Triton
kernel = _relu_toggle_kernel
again = triton.jit(kernel.fn)  # same source, nothing in memory

first = wall_ms(lambda: relu(kernel, x, out, True))
other = wall_ms(lambda: relu(kernel, x, out, False))
disk = wall_ms(lambda: relu(again, x, out, True))
warm = median_us(lambda: relu(kernel, x, out, True))
eager = median_us(lambda: torch.clamp_min(x, 0.0, out=out))
# --8<-- [end:cold]

print("== one program of 1024 lanes ==")
print(f"first launch ms: {first:.1f}")
print(f"the other USE_RELU ms: {other:.1f}")
print(f"compiled before, from disk ms: {disk:.2f}")
print(f"warm, from memory us: {warm:.1f}")
print(f"torch.clamp_min us: {eager:.1f}")
print(f"first over warm: {1000 * first / warm:.0f}")
print(f"other over warm: {1000 * other / warm:.0f}")
print(f"disk over warm: {1000 * disk / warm:.0f}")
print(f"warm over torch: {warm / eager:.2f}")

# --8<-- [start:large]
x = torch.randn(N, device="cuda")
out = torch.empty_like(x)
launches = {
    "copy": lambda: out.copy_(x),
    "torch.clamp_min": lambda: torch.clamp_min(x, 0.0, out=out),
    "without clamp": lambda: relu(kernel, x, out, False),
    "with clamp": lambda: relu(kernel, x, out, True),
}
print("== 2**28 floats ==")
print("bytes moved:", 2 * 4 * N)
copy_ms = None
for name, launch in launches.items():
    ms = triton.testing.do_bench(launch, quantiles=[0.5, 0.2, 0.8])[0]
    copy_ms = copy_ms or ms
    print(f"{name} ms: {ms:.4f}")
    print(f"{name} GB/s: {2 * 4 * N / ms / 1e6:.0f}")
    print(f"{name} share of the copy: {copy_ms / ms:.2f}")
print("right:", torch.equal(out, torch.relu(x)))
# --8<-- [end:large]
