"""14.4 on a GPU: the sum of a whole tensor by the number of parts."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "* over copy" = { kind = "measured", within = 0.25 }
# [speed."sum of a whole tensor, 2**27 bf16"]
# library = "torch.sum"
# over_library = "[torch.sum ms] / [two launches ms]"
# ceiling = "a copy's rate"
# of_ceiling = "[two launches over copy]"
# [speed."sum of a whole tensor, 2**29 bf16"]
# library = "torch.sum"
# over_library = "[large, torch.sum ms] / [large, sum_all ms]"
# ceiling = "a copy's rate"
# of_ceiling = "[large, sum_all over copy]"
# ///

import torch
import triton.testing

from ch14_reductions.sum_all import (
    BLOCK, LENGTH, sum_all, sum_parts_kernel,
)

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**27


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:time]
torch.manual_seed(0)
x = torch.randn(N, device=DEVICE).to(torch.bfloat16)
out = torch.empty_like(x)
size = 2 * N
ms = median_ms(lambda: out.copy_(x))
ceiling = 2 * size / ms / 1e6  # a copy reads and writes
print(f"bytes of x: {size}")
print(f"copy ms: {ms:.4f}")
print(f"copy GB/s: {ceiling:.0f}")
for parts in (8, 32, 128, 512, 2048, 8192, 16384, 32768):
    ms = median_ms(lambda: sum_all(x, N // parts))
    print(f"parts {parts} over copy: {size / ms / 1e6 / ceiling:.3f}")
exact = x.double().sum().item()
scale = x.double().abs().sum().item()


def report(name, fn):
    error = abs(fn().item() - exact) / scale
    ms = median_ms(fn)
    print(f"{name} ms: {ms:.4f}")
    print(f"{name} over copy: {size / ms / 1e6 / ceiling:.3f}")
    print(f"{name} right: {error < 1e-6}")


report("two launches", lambda: sum_all(x))
report("two launches that overlap",
       lambda: sum_all(x, overlap=True))
report("torch.sum", lambda: x.sum(dtype=torch.float32))
parts = N // LENGTH
scratch = torch.empty(parts, device=DEVICE)
ms = median_ms(lambda: sum_parts_kernel[(parts,)](
    x, scratch, N, LENGTH, BLOCK=BLOCK, EVICT="evict_first",
    num_warps=16))  # fmt: skip
print(f"the first launch alone ms: {ms:.4f}")

large = torch.randn(4 * N, device=DEVICE).to(torch.bfloat16)
out = torch.empty_like(large)
size = 2 * large.numel()
ceiling = 2 * size / median_ms(lambda: out.copy_(large)) / 1e6
print(f"large, copy GB/s: {ceiling:.0f}")
for name, fn in (
    ("sum_all", lambda: sum_all(large)),
    ("torch.sum", lambda: large.sum(dtype=torch.float32)),
):
    ms = median_ms(fn)
    print(f"large, {name} ms: {ms:.4f}")
    rate = size / ms / 1e6
    print(f"large, {name} over copy: {rate / ceiling:.3f}")
# --8<-- [end:time]
