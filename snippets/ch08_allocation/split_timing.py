"""8.4.1 on a GPU: how many parts, and what the scratch costs."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "* over copy" = { kind = "measured", within = 0.25 }
# ///

import torch
import triton.testing

from ch08_allocation.column_sums import COLS, column_sums

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS_OF_X = 2**20
COLS_OF_X = 256


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:time]
x = torch.randn(ROWS_OF_X, COLS_OF_X, device=DEVICE)
out = torch.empty_like(x)
size = x.numel() * x.element_size()
rate = 2 * size / median_ms(lambda: out.copy_(x)) / 1e6
print(f"bytes of x: {size}")
print(f"copy GB/s: {rate:.0f}")
for splits in (1, 4, 16, 64, 256, 1024, 4096):
    ms = median_ms(lambda: column_sums(x, splits))
    programs = splits * COLS_OF_X // COLS
    scratch = 0 if splits == 1 else 4 * splits * COLS_OF_X
    print(f"splits {splits} programs: {programs}")
    print(f"splits {splits} bytes of scratch: {scratch}")
    print(f"splits {splits} ms: {ms:.3f}")
    print(f"splits {splits} GB/s: {size / ms / 1e6:.0f}")
    print(f"splits {splits} over copy: {size / ms / 1e6 / rate:.3f}")
ms = median_ms(lambda: x.sum(0))
print(f"torch ms: {ms:.3f}")
print(f"torch GB/s: {size / ms / 1e6:.0f}")
print(f"torch over copy: {size / ms / 1e6 / rate:.3f}")
# --8<-- [end:time]
