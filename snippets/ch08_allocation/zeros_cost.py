"""8.2.2: what zeros costs on a GPU."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "empty, us a call" = { kind = "bound", limit = 60.0 }
# "* over copy" = { kind = "measured", within = 0.25 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "into zeros against into empty" = { kind = "measured", within = 0.2 }
# ///

import torch
import triton
import triton.testing

from ch12_elementwise.fma_relu import fma_relu_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**28
BLOCK = 1024


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:time]
def fused(make):
    out = make(x)
    grid = (triton.cdiv(N, BLOCK),)
    fma_relu_kernel[grid](x, out, 1.1, -0.3, N, BLOCK=BLOCK)
    return out


x = torch.randn(N, device=DEVICE)
out = torch.empty_like(x)
size = x.numel() * x.element_size()
print(f"bytes of a tensor: {size}")
# name, what to run, how many times it moves the tensor's bytes
cases = [
    ("copy", lambda: out.copy_(x), 2),
    ("empty", lambda: torch.empty_like(x), 0),
    ("zeros", lambda: torch.zeros_like(x), 1),
    ("kernel into empty", lambda: fused(torch.empty_like), 2),
    ("kernel into zeros", lambda: fused(torch.zeros_like), 3),
]
ms = {}
for name, fn, passes in cases:
    ms[name] = median_ms(fn)
    if passes == 0:  # no work for the GPU: the time of a call
        print(f"{name}, us a call: {1e3 * ms[name]:.1f}")
        continue
    rate = passes * size / ms[name] / 1e6
    print(f"{name} ms: {ms[name]:.3f}")
    print(f"{name} GB/s: {rate:.0f}")
    print(f"{name} over copy: {ms[name] / ms['copy']:.3f}")
ratio = ms["kernel into zeros"] / ms["kernel into empty"]
print(f"into zeros against into empty: {ratio:.2f}")
# --8<-- [end:time]
