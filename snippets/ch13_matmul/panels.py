"""13.3.2: how much of a and b the programs that run together need,
by group. Counted in Python, after tl.swizzle2d."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "it counts in Python, and launches nothing"
# ///

SIZE = 8192  # rows and columns of a, b and out
TILE = (128, 256)  # rows and columns of a tile
TOGETHER = 132  # multiprocessors of an H200, a tile on each


def tile_at(number, tiles_m, tiles_n, group):
    """The tile's row and column; see the kernel of this name."""
    first = number // (group * tiles_n) * group
    height = min(group, tiles_m - first)
    inside = number % (group * tiles_n)
    return first + inside % height, inside // height


if __name__ == "__main__":
    # --8<-- [start:demo]
    tiles_m, tiles_n = SIZE // TILE[0], SIZE // TILE[1]
    row_bytes, col_bytes = (2 * SIZE * side for side in TILE)
    print("== what 132 neighbours need ==")
    print(f"tiles: {tiles_m * tiles_n}")
    for group in (1, 2, 4, 8, 16, 32, 64):
        tiles = [
            tile_at(number, tiles_m, tiles_n, group)
            for number in range(TOGETHER)
        ]
        rows = len({i for i, _ in tiles})
        cols = len({j for _, j in tiles})
        needed = (rows * row_bytes + cols * col_bytes) / 2**20
        print(
            f"GROUP {group}: rows {rows}, columns {cols}, "
            f"MiB {needed:.0f}"
        )
    # --8<-- [end:demo]
