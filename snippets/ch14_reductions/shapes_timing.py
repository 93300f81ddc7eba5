"""14.2 on a GPU: as many elements, in short rows and in long ones."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* over copy" = { kind = "measured", within = 0.3 }
# "copy GB/s" = { kind = "measured", within = 0.25 }
# ///

import torch
import triton.testing

from ch14_reductions.sum_rows import sum_rows

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**27  # elements of x, whatever its shape


def median_ms(fn):
    return triton.testing.do_bench(
        fn, warmup=5, rep=30, quantiles=[0.5, 0.2, 0.8]
    )[0]


# --8<-- [start:time]
x = torch.randn(N, device=DEVICE).to(torch.bfloat16)
out = torch.empty_like(x)
size = 2 * N
ceiling = 2 * size / median_ms(lambda: out.copy_(x)) / 1e6
print(f"copy GB/s: {ceiling:.0f}")
for power in range(4, 26, 3):
    cols = 2**power
    rows = x.view(-1, cols)
    ways = {
        "one row a program": lambda: sum_rows(rows, (1, 4096), 4),
        "full tiles": lambda: sum_rows(rows),
        "torch.sum": lambda: rows.sum(1, dtype=torch.float32),
    }
    for name, fn in ways.items():
        rate = size / median_ms(fn) / 1e6
        print(f"cols {cols} {name} over copy: {rate / ceiling:.3f}")
# --8<-- [end:time]
