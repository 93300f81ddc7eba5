"""3.3: bandwidth by stride, with a plain copy as the ceiling."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "* rate over copy" = { kind = "measured", within = 0.25 }
# "* time over stride 1" = { kind = "measured", within = 0.25 }
# ///

import torch
import triton
import triton.testing

from ch03_layout.strided import strided_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**26  # elements that are read and written, float32
BLOCK = 1024
STRIDES = (1, 2, 4, 8, 16, 32)


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


x = torch.randn(N * STRIDES[-1], device=DEVICE)
out = torch.empty(N, device=DEVICE)
print(f"bytes of x: {x.numel() * 4}")
print(f"bytes that are used, read and written: {8 * N}")


# --8<-- [start:time]
def read(stride):
    grid = (triton.cdiv(N, BLOCK),)
    strided_kernel[grid](x, out, N, stride, BLOCK=BLOCK)


copy = median_ms(lambda: out.copy_(x[:N]))
ceiling = 8 * N / copy / 1e6
print(f"copy ms: {copy:.3f}")
print(f"copy GB/s: {ceiling:.0f}")
for stride in STRIDES:
    name = f"stride {stride}"
    out.zero_()
    ms = median_ms(lambda: read(stride))
    if stride == 1:
        first = ms
    # what the sectors under the reads come to, 32 or 64 bytes wide
    by_32 = 4 * N + N * min(4 * stride, 32)
    by_64 = 4 * N + N * min(4 * stride, 64)
    print(f"{name} right: {torch.equal(out, x[::stride][:N])}")
    print(f"{name} ms: {ms:.3f}")
    print(f"{name} used GB/s: {8 * N / ms / 1e6:.0f}")
    print(f"{name} rate over copy: {8 * N / ms / 1e6 / ceiling:.2f}")
    print(f"{name} time over stride 1: {ms / first:.2f}")
    print(f"{name} bytes in 32-byte sectors: {by_32}")
    print(f"{name} in 32-byte sectors, GB/s: {by_32 / ms / 1e6:.0f}")
    print(f"{name} in 64-byte pieces, GB/s: {by_64 / ms / 1e6:.0f}")
# --8<-- [end:time]
