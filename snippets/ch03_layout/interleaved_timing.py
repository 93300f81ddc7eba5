"""Trap of 3.3: programs that take turns, timed."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.35 }
# "* GB/s" = { kind = "measured", within = 0.35 }
# "* rate over copy" = { kind = "measured", within = 0.35 }
# "interleaved over blocks" = { kind = "measured", within = 0.35 }
# ///

import torch
import triton
import triton.testing

from ch03_layout.interleaved import interleaved_copy_kernel
from ch03_layout.views import copy_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**28
BLOCK = 1024


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


x = torch.randn(N, device=DEVICE)
out = torch.empty_like(x)
moved = 2 * N * x.element_size()
print(f"bytes moved: {moved}")


# --8<-- [start:time]
def run(kernel):
    grid = (triton.cdiv(N, BLOCK),)
    kernel[grid](x, out, N, BLOCK=BLOCK)


cases = [
    ("copy", lambda: out.copy_(x)),
    ("blocks", lambda: run(copy_kernel)),
    ("interleaved", lambda: run(interleaved_copy_kernel)),
]
ms = {}
for name, fn in cases:
    out.zero_()
    ms[name] = median_ms(fn)
    print(f"{name} right: {torch.equal(out, x)}")
    print(f"{name} ms: {ms[name]:.3f}")
    print(f"{name} GB/s: {moved / ms[name] / 1e6:.0f}")
    print(f"{name} rate over copy: {ms['copy'] / ms[name]:.3f}")
ratio = ms["interleaved"] / ms["blocks"]
print(f"interleaved over blocks: {ratio:.1f}")
# --8<-- [end:time]
