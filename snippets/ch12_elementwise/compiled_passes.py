"""12.2.1, proof by reading the compiled code: loads and stores."""

# /// capture
# runners = ["compiler", "gpu"]
# ///

import re

import torch
import triton

from ch12_elementwise.fma_relu import fma_relu_kernel
from ch12_elementwise.three_kernels import (
    add_kernel,
    mul_kernel,
    relu_kernel,
)

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**20
BLOCK = 1024


# --8<-- [start:report]
def report(title, compiled):
    """Global accesses of one thread, bytes of one program."""
    ptx = compiled.asm["ptx"]
    threads = 32 * compiled.metadata.num_warps
    for kind in ("ld", "st"):
        found = re.findall(rf"{kind}\.global[.\w]*", ptx)
        names = sorted(set(found))
        size = 0
        for name in found:
            lanes = re.search(r"\.v(\d)", name)
            bits = re.search(r"\.[bfsu](\d+)$", name)
            count = int(lanes[1]) if lanes else 1
            size += threads * count * int(bits[1]) // 8
        print(f"{title} {kind}: {len(found)} x {' '.join(names)}")
        print(f"{title} {kind} bytes per program: {size}")


def run(n):
    x = torch.randn(n, device=DEVICE)
    y = torch.empty_like(x)
    grid = (triton.cdiv(n, BLOCK),)
    return (
        mul_kernel[grid](x, y, 1.1, n, BLOCK=BLOCK),
        add_kernel[grid](x, y, -0.3, n, BLOCK=BLOCK),
        relu_kernel[grid](x, y, n, BLOCK=BLOCK),
        fma_relu_kernel[grid](x, y, 1.1, -0.3, n, BLOCK=BLOCK),
    )


print(f"bytes of {BLOCK} float32: {4 * BLOCK}")
print("== n divisible by 16 ==")
for title, compiled in zip(("mul", "add", "relu", "fused"), run(N)):
    report(title, compiled)
print("== n not divisible by 16 ==")
report("fused", run(N + 1)[3])
# --8<-- [end:report]
