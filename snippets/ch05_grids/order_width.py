"""5.5: the best order and the worst, for tiles of several widths."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* in copies" = { kind = "measured", within = 0.25 }
# "* over *" = { kind = "measured", within = 0.25 }
# ///

import torch
import triton
import triton.testing

from ch05_grids.swizzle import double_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS, COLS = 2**22, 64  # 1 GiB, rows of 256 bytes
LANES = 4096  # elements of a tile, whatever its width


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


torch.manual_seed(0)
x = torch.randn(ROWS, COLS, device=DEVICE)
out = torch.empty_like(x)
copy = median_ms(lambda: out.copy_(x))
print(f"bytes read and written: {2 * x.numel() * 4}")
print(f"copy ms: {copy:.3f}")

# --8<-- [start:widths]
for width in (4, 8, 16, 32, 64):
    tile_m = LANES // width
    tiles_m, tiles_n = ROWS // tile_m, COLS // width
    times = []
    for name, group in [("rows", 1), ("columns", tiles_m)]:
        ms = median_ms(
            lambda: double_kernel[(tiles_m * tiles_n,)](
                x, out, ROWS, COLS,
                TILE_M=tile_m, TILE_N=width, GROUP=group,
            )
        )
        times.append(ms)
        print(f"{name} first, width {width} ms: {ms:.3f}")
        print(f"{name} first, width {width} in copies: {ms / copy:.2f}")
    ratio = times[1] / times[0]
    print(f"columns over rows, width {width}: {ratio:.2f}")
# --8<-- [end:widths]
