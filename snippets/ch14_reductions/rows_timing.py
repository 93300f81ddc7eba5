"""14.2 on a GPU: row sums step by step, against torch and a copy."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "* over copy" = { kind = "measured", within = 0.25 }
# [speed."row sums, 16384 x 8192 bf16"]
# library = "torch.sum"
# over_library = "[torch.sum ms] / [evict_first ms]"
# ceiling = "a copy's rate"
# of_ceiling = "[evict_first over copy]"
# ///

import torch
import triton
import triton.testing

from ch14_reductions.sum_rows import sum_rows, sum_rows_kernel
from ch14_reductions.tree_each_turn import tree_each_turn

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS, COLS = 16384, 8192
TILES = ((8192, 4), (8192, 8), (8192, 16), (4096, 4), (4096, 8),
         (4096, 16), (1024, 4))


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:time]
torch.manual_seed(0)
x = torch.randn(ROWS, COLS, device=DEVICE).to(torch.bfloat16)
out = torch.empty_like(x)
size = x.numel() * x.element_size()
ms = median_ms(lambda: out.copy_(x))
ceiling = 2 * size / ms / 1e6  # a copy reads and writes
print(f"bytes of x: {size}")
print(f"copy ms: {ms:.4f}")
print(f"copy GB/s: {ceiling:.0f}")
exact = x.double().sum(1)
scale = x.double().abs().sum(1).max()


def report(name, fn):
    error = ((fn().double() - exact).abs().max() / scale).item()
    ms = median_ms(fn)
    rate = size / ms / 1e6  # a sum only reads
    print(f"{name} ms: {ms:.4f}")
    print(f"{name} over copy: {rate / ceiling:.3f}")
    print(f"{name} right: {error < 1e-6}")


def registers(cols, warps):
    """Of a thread, and how many warps that leaves room for."""
    sums = torch.empty(1, device=DEVICE)
    kernel = sum_rows_kernel[(1,)](
        x, sums, 0, COLS, COLS, ROWS=1, COLS=cols, EVICT="",
        num_warps=warps,
    )  # fmt: skip
    each = triton.cdiv(kernel.n_regs, 8) * 8  # allotted by eights
    programs = 65536 // (each * 32 * warps)
    return kernel.n_regs, min(programs * warps, 64)


for cols, warps in TILES:
    used, room = registers(cols, warps)
    print(f"{cols}, {warps} warps registers: {used}")
    print(f"{cols}, {warps} warps fit: {room}")
    report(f"{cols}, {warps} warps",
           lambda: sum_rows(x, (1, cols), warps, evict=""))
report("evict_first", lambda: sum_rows(x))
report("tree each turn", lambda: tree_each_turn(x, 1024, 4))
report("torch.sum", lambda: x.sum(1, dtype=torch.float32))
# --8<-- [end:time]
