"""16.5: what the busiest of 132 programs of the Gluon kernel has to do,
over the mean, and in an order that turns round after every round."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "it launches no kernel"
# ///

PROGRAMS = 132  # multiprocessors of an H200
BLOCK = 128  # queries a tile, keys a turn


# --8<-- [start:demo]
def busiest_over_mean(length, across):
    """Turns of the busiest program, over the mean of all."""
    heads = 16384 // length * 16
    tiles = length // BLOCK
    turns = [0] * PROGRAMS
    for number in range(tiles * heads):
        row, program = divmod(number, PROGRAMS)
        if across and row % 2:
            program = PROGRAMS - 1 - program
        tile = number // heads if across else number % tiles
        turns[program] += tiles - tile  # long ones first
    return max(turns) * PROGRAMS / sum(turns)


for length in (1024, 2048, 4096, 8192, 16384):
    print(f"as it is {length}: {busiest_over_mean(length, False):.2f}")
    print(f"turned {length}: {busiest_over_mean(length, True):.2f}")
# --8<-- [end:demo]
