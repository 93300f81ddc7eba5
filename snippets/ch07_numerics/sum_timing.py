"""7.4: what a better accumulator costs, on a GPU."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "* over copy" = { kind = "measured", within = 0.25 }
# "* over plain" = { kind = "measured", within = 0.25 }
# ///

import torch
import triton.testing

from ch07_numerics.row_sums import row_sum

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS, COLS = 2**16, 2**12
BLOCK = 1024


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


x = torch.rand(ROWS, COLS, device=DEVICE)
out = torch.empty_like(x)
size = x.numel() * x.element_size()
print(f"elements: {x.numel()}")
print(f"bytes read: {size}")

# --8<-- [start:time]
ms = median_ms(lambda: out.copy_(x))
ceiling = 2 * size / ms / 1e6  # a copy reads and writes
print(f"copy ms: {ms:.3f}")
print(f"copy GB/s: {ceiling:.0f}")
cases = [("torch.sum", lambda: x.sum(1))]
for how in ("plain", "kahan", "double"):
    fn = lambda how=how: row_sum(x, how, BLOCK)
    cases.append((how, fn))
times = {}
for name, fn in cases:
    times[name] = median_ms(fn)
    rate = size / times[name] / 1e6
    print(f"{name} ms: {times[name]:.3f}")
    print(f"{name} GB/s: {rate:.0f}")
    print(f"{name} rate over copy: {rate / ceiling:.2f}")
for how in ("kahan", "double"):
    print(f"{how} over plain: {times[how] / times['plain']:.2f}")
# --8<-- [end:time]
