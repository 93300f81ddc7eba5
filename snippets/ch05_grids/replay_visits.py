"""5.1.2, recorded: a mask for two edges, then the flat one."""

# /// capture
# runners = ["replay"]
# ///

from ch05_grids.cover_2d import visits

visits(3, 5)
visits(3, 5, flat=True)
