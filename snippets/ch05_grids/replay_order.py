"""5.5.1, recorded: the interpreter goes through a grid of 3 by 4."""

# /// capture
# runners = ["replay"]
# ///

from ch05_grids.order import tickets

tickets(3, 4)
