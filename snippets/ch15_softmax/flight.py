"""15.5: how many rows are under way on a multiprocessor, and what
part of a copy's bandwidth comes of it."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* GB/s" = { kind = "measured", within = 0.2 }
# "* of the copy" = { kind = "measured", within = 0.2 }
# ///

import torch
import triton
import triton.testing

from ch10_host.occupancy import residents
from ch15_softmax.early_loads import launch, layer_norm_early_kernel
from ch15_softmax.layer_norm import layer_norm_kernel
from ch15_softmax.softmax import softmax_kernel

ROWS, COLS = 16384, 8192


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:time]
torch.manual_seed(0)
x = torch.randn(ROWS, COLS, device="cuda").bfloat16()
weight, bias = torch.randn(2, COLS, device="cuda").bfloat16()
out = torch.empty_like(x)
stats = torch.empty(2, ROWS, device="cuda")
moved = 2 * x.numel() * x.element_size()
copy = median_ms(lambda: out.copy_(x))
print(f"copy GB/s: {moved / copy / 1e6:.0f}")


def softmax(warps):
    return softmax_kernel[(ROWS,)](
        x, out, ROWS, COLS, COLS, COLS,
        ROWS=1, BLOCK=COLS, num_warps=warps,
    )  # fmt: skip


def early(warps):
    kernel = layer_norm_early_kernel
    return launch(kernel, x, weight, bias, out, stats, warps)


def late(warps):
    return launch(layer_norm_kernel, x, weight, bias, out, stats, warps)


for name, fn in (
    ("softmax", softmax),
    ("LayerNorm, early loads", early),
    ("LayerNorm, late loads", late),
):
    for warps in (4, 8, 16):
        compiled = fn(warps)
        compiled._init_handles()
        shared = compiled.metadata.shared
        fit = residents(compiled.n_regs, warps, shared)
        ms = median_ms(lambda: fn(warps))
        title = f"{name} {warps} warps"
        print(f"{title} registers: {compiled.n_regs}")
        print(f"{title} rows at once: {min(fit.values())}")
        print(f"{title} GB/s: {moved / ms / 1e6:.0f}")
        print(f"{title} of the copy: {copy / ms:.2f}")
# --8<-- [end:time]
