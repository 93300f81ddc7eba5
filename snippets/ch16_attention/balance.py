"""16.5: what the busiest of 132 programs of the Gluon kernel has to do,
over the mean: tiles dealt in a row, and in couples, long with short."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "it launches no kernel"
# ///

PROGRAMS = 132  # multiprocessors of an H200
BLOCK = 128  # queries a tile, keys a turn


# --8<-- [start:demo]
def busiest_over_mean(length, paired):
    """Turns of the busiest program, over the mean of all."""
    heads = 16384 // length * 16
    tiles = length // BLOCK
    turns = [0] * PROGRAMS
    dealt = tiles // 2 if paired else tiles  # things in a head
    for number in range(dealt * heads):
        tile = tiles - number % dealt  # so many turns, long ones first
        turns[number % PROGRAMS] += tiles + 1 if paired else tile
    return max(turns) * PROGRAMS / sum(turns)


for length in (1024, 2048, 4096, 8192, 16384):
    print(f"in a row {length}: {busiest_over_mean(length, False):.2f}")
    print(f"in couples {length}: {busiest_over_mean(length, True):.2f}")
# --8<-- [end:demo]
