"""14.4 on a GPU: column sums, step by step."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.4 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "* over copy" = { kind = "measured", within = 0.4 }
# [speed."column sums, 16384 x 8192 bf16"]
# library = "torch.sum"
# over_library = "[torch.sum ms] / [overlapping launches ms]"
# ceiling = "a copy's rate"
# of_ceiling = "[overlapping launches over copy]"
# ///

import torch
import triton
import triton.testing

from ch08_allocation.column_sums import column_sums_kernel
from ch14_reductions.sum_columns import sum_columns

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS, COLS = 16384, 8192


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:chapter8]
def column_sums(x, parts=64, tile=(16, 64)):
    """Chapter 8's two launches of one tile, for any float."""
    out = torch.empty(COLS, device=DEVICE)
    scratch = torch.empty(parts, COLS, device=DEVICE)
    across = triton.cdiv(COLS, tile[1])
    column_sums_kernel[(across, parts)](
        x, scratch, ROWS, COLS, triton.cdiv(ROWS, parts),
        ROWS=tile[0], COLS=tile[1],
    )  # fmt: skip
    column_sums_kernel[(across, 1)](
        scratch, out, parts, COLS, parts, ROWS=tile[0], COLS=tile[1],
    )  # fmt: skip
    return out
# --8<-- [end:chapter8]


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
exact = x.double().sum(0)
scale = x.double().abs().sum(0).max()


def report(name, fn):
    error = ((fn().double() - exact).abs().max() / scale).item()
    ms = median_ms(fn)
    print(f"{name} ms: {ms:.4f}")
    print(f"{name} over copy: {size / ms / 1e6 / ceiling:.3f}")
    print(f"{name} right: {error < 1e-6}")


report("chapter 8", lambda: column_sums(x))
for stages in (1, 3, 5):
    report(f"{stages} under way", lambda: sum_columns(
        x, stages=stages, overlap=False))  # fmt: skip
report("overlapping launches", lambda: sum_columns(x))
report("torch.sum", lambda: x.sum(0, dtype=torch.float32))
# --8<-- [end:time]
