"""5.5: the time of one kernel under several orders of its programs,
with a plain copy as the ceiling."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* in copies" = { kind = "measured", within = 0.25 }
# "* over *" = { kind = "measured", within = 0.25 }
# "copy GB/s" = { kind = "measured", within = 0.25 }
# ///

import torch
import triton
import triton.language as tl
import triton.testing

from ch05_grids.swizzle import double_kernel, double_tile

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS, COLS = 2**22, 64  # 1 GiB, rows of 256 bytes
TILE_M, TILE_N = 1024, 4  # 16 bytes of each row
GROUPS = (1, 16, 64, 256, 1024, 4096)


# --8<-- [start:kernel]
@triton.jit
def double_2d_kernel(
    x_ptr,  # address of x[0, 0], float32, rows of cols elements
    out_ptr,  # address of out[0, 0], shaped like x
    rows,  # how many rows x has
    cols,  # how many columns x has
    TILE_M: tl.constexpr,  # rows of a tile
    TILE_N: tl.constexpr,  # columns of a tile
    ROW_AXIS: tl.constexpr,  # the grid's axis that counts rows
):
    i, j = tl.program_id(ROW_AXIS), tl.program_id(1 - ROW_AXIS)
    double_tile(x_ptr, out_ptr, i, j, rows, cols, TILE_M, TILE_N)
# --8<-- [end:kernel]


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


def grouped(group):
    double_kernel[(tiles_m * tiles_n,)](
        x, out, ROWS, COLS, TILE_M=TILE_M, TILE_N=TILE_N, GROUP=group
    )


def axes(row_axis):
    grid = (tiles_n, tiles_m) if row_axis else (tiles_m, tiles_n)
    double_2d_kernel[grid](
        x, out, ROWS, COLS, TILE_M=TILE_M, TILE_N=TILE_N,
        ROW_AXIS=row_axis,
    )


torch.manual_seed(0)
x = torch.randn(ROWS, COLS, device=DEVICE)
out = torch.empty_like(x)
tiles_m, tiles_n = ROWS // TILE_M, COLS // TILE_N
size = x.numel() * x.element_size()
l2 = torch.cuda.get_device_properties(0).L2_cache_size
print(f"bytes read and written: {2 * size}")
print(f"L2 bytes: {l2}")
print(f"programs: {tiles_m * tiles_n}")
copy = median_ms(lambda: out.copy_(x))
print(f"copy ms: {copy:.3f}")
print(f"copy GB/s: {2 * size / copy / 1e6:.0f}")

print("== one axis, tl.swizzle2d ==")
# --8<-- [start:groups]
ms = {}
for group in GROUPS:
    out.zero_()
    grouped(group)
    print(f"group {group} right: {torch.equal(out, 2 * x)}")
    ms[group] = median_ms(lambda: grouped(group))
    # 32-byte sectors of x and of out that one group spans
    spans = 2 * 32 * TILE_M * group / 2**20
    print(f"group {group} spans MiB: {spans:g}")
    print(f"group {group} ms: {ms[group]:.3f}")
    print(f"group {group} in copies: {ms[group] / copy:.2f}")
slowest, fastest = max(ms.values()), min(ms.values())
print(f"slowest over fastest: {slowest / fastest:.2f}")
# --8<-- [end:groups]

print("== two axes ==")
# --8<-- [start:axes]
for row_axis in (0, 1):
    out.zero_()
    axes(row_axis)
    print(f"rows on axis {row_axis} right: {torch.equal(out, 2 * x)}")
    ms[row_axis] = median_ms(lambda: axes(row_axis))
    copies = ms[row_axis] / copy
    print(f"rows on axis {row_axis} ms: {ms[row_axis]:.3f}")
    print(f"rows on axis {row_axis} in copies: {copies:.2f}")
print(f"axis 0 over axis 1: {ms[0] / ms[1]:.2f}")
# --8<-- [end:axes]
