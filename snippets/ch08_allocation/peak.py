"""8.5.1: peak memory of one function, written in seven ways."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# ///

import torch
import triton

from ch12_elementwise.fma_relu import fma_relu_kernel, fused_fma_relu
from ch12_elementwise.three_kernels import (
    add_kernel,
    chained_fma_relu,
    mul_kernel,
    relu_kernel,
)

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**26
A, B = 1.1, -0.3
BLOCK = 1024
GRID = (triton.cdiv(N, BLOCK),)


# --8<-- [start:ways]
def names(x):
    scaled = A * x
    shifted = scaled + B
    return torch.relu(shifted)


def nested(x):
    return torch.relu(A * x + B)


def one_name(x):
    y = A * x
    y = y + B
    y = torch.relu(y)
    return y


def one_buffer(x):
    out = torch.empty_like(x)
    mul_kernel[GRID](x, out, A, N, BLOCK=BLOCK)
    add_kernel[GRID](out, out, B, N, BLOCK=BLOCK)
    relu_kernel[GRID](out, out, N, BLOCK=BLOCK)
    return out


def in_place(x):
    fma_relu_kernel[GRID](x, x, A, B, N, BLOCK=BLOCK)
    return x
# --8<-- [end:ways]


# --8<-- [start:measure]
def extra_bytes(fn):
    """Bytes per element beyond x: at the peak, and afterwards."""
    x = torch.randn(N, device=DEVICE)
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    y = fn(x)
    peak = torch.cuda.max_memory_allocated() - before
    after = torch.cuda.memory_allocated() - before
    return peak / N, after / N


ways = [  # name, function, predicted bytes per element at the peak
    ("three names", names, 12),
    ("nested", nested, 8),
    ("one name", one_name, 8),
    ("three kernels", lambda x: chained_fma_relu(x, A, B), 12),
    ("three kernels, one buffer", one_buffer, 4),
    ("fused", lambda x: fused_fma_relu(x, A, B), 4),
    ("fused, in place", in_place, 0),
]
for name, fn, predicted in ways:
    peak, after = extra_bytes(fn)
    print(f"{name}, predicted: {predicted}")
    print(f"{name}, measured: {peak:.2f}")
    print(f"{name}, kept: {after:.2f}")
# --8<-- [end:measure]
