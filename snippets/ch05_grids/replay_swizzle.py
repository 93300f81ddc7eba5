"""5.5.2, recorded: sixteen programs, row by row, then in groups
of two rows."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch05_grids.swizzle import double

x = torch.arange(16.0).reshape(4, 4)
double(x, tile_m=1, tile_n=1, group=1)
double(x, tile_m=1, tile_n=1, group=2)
