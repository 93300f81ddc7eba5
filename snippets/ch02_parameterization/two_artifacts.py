"""Three launches of shape_kernel on a GPU, and the machine code
behind each: they are different programs."""

# /// capture
# runners = ["gpu"]
# ///

import re

import torch
import triton

from ch02_parameterization.constexpr_shape import shape_kernel

N = 4096

# --8<-- [start:demo]
x = torch.randn(N, device="cuda")
out = torch.empty_like(x)
texts = set()
for block, warps in [(128, 4), (1024, 4), (1024, 8)]:
    print(f"== BLOCK {block}, num_warps {warps} ==")
    grid = (triton.cdiv(N, block),)
    kernel = shape_kernel[grid](
        x, out, N, BLOCK=block, num_warps=warps
    )
    ptx = kernel.asm["ptx"]
    texts.add(ptx)
    loads = re.findall(r"ld\.global[.\w]*", ptx)
    stores = re.findall(r"st\.global[.\w]*", ptx)
    print("elements per thread:", block / (32 * warps))
    print("load instructions:", len(loads))
    print("kind of load:", loads[0])
    print("store instructions:", len(stores))
    print("registers per thread:", kernel.n_regs)
    print("right:", torch.equal(out, 2 * x))
print("== all three ==")
print("different PTX texts:", len(texts))
# --8<-- [end:demo]
