"""13.3: a grouped order that forgets that the last group may be
lower than the others."""

import torch
import triton
import triton.language as tl

from ch13_matmul.grouped import tile_at

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def count_visits_kernel(
    counts_ptr,  # address of one counter for each tile, int32
    tiles_m,  # how many rows of tiles
    tiles_n,  # how many columns of tiles
    GROUP: tl.constexpr,  # how many rows of tiles make a group
    CLIP: tl.constexpr,  # whether the last group may be lower
):
    pid = tl.program_id(0)
    if CLIP:
        i, j = tile_at(pid, tiles_m, tiles_n, GROUP)
    else:
        inside = pid % (GROUP * tiles_n)
        i = pid // (GROUP * tiles_n) * GROUP + inside % GROUP
        j = inside // GROUP
    if i < tiles_m:  # such a tile's stores would be masked
        tl.atomic_add(counts_ptr + i * tiles_n + j, 1)


def count_visits(tiles_m, tiles_n, group, clip):
    """How many programs come to each tile."""
    counts = torch.zeros(
        tiles_m, tiles_n, dtype=torch.int32, device=DEVICE
    )
    count_visits_kernel[(counts.numel(),)](
        counts, tiles_m, tiles_n, GROUP=group, CLIP=clip
    )
    return counts
# --8<-- [end:kernel]


# --8<-- [start:demo]
print("== groups of four rows of tiles ==")
for tiles_m in (4, 8, 6):
    for clip in (False, True):
        counts = count_visits(tiles_m, 5, 4, clip)
        how = "lower last group" if clip else "equal groups"
        missed = int((counts == 0).sum())
        print(f"{tiles_m} rows of tiles, {how}, missed: {missed}")
# --8<-- [end:demo]
