"""13.3.2: the group against the clock, for two tiles."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* TFLOP/s" = { kind = "measured", within = 0.3 }
# "* of cuBLAS" = { kind = "measured", within = 0.2 }
# ///

import torch
import triton.testing

from ch13_matmul.grouped import matmul_grouped

GROUPS = (1, 4, 16, 64)


def median_ms(fn, rep=60):
    return triton.testing.do_bench(
        fn, warmup=10, rep=rep, quantiles=[0.5, 0.2, 0.8]
    )[0]


# --8<-- [start:time]
SIZE = 8192
torch.manual_seed(0)
a = torch.randn(SIZE, SIZE, device="cuda").bfloat16()
b = torch.randn(SIZE, SIZE, device="cuda").bfloat16()
for tile, warps in (((64, 64, 64), 4), ((128, 256, 64), 8)):
    print(f"== tiles of {tile[0]} x {tile[1]} ==")

    def product(group):
        return matmul_grouped(
            a, b, tile, group, num_warps=warps, num_stages=3
        )

    for group in GROUPS:
        product(group)  # compiles, while the device cools down
    before = median_ms(lambda: a @ b, rep=500)  # and warms up
    for group in GROUPS:
        ms = median_ms(lambda: product(group))
        after = median_ms(lambda: a @ b)
        library = (before + after) / 2
        before = after
        print(f"GROUP {group} TFLOP/s: {2 * SIZE**3 / 1e9 / ms:.0f}")
        print(f"GROUP {group} of cuBLAS: {library / ms:.3f}")
# --8<-- [end:time]
