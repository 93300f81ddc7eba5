"""5.1.1, recorded: ten elements, the grid rounded down, then up."""

# /// capture
# runners = ["replay"]
# ///

from ch05_grids.cover import owners

owners(10, 4, 10 // 4)
owners(10, 4)
