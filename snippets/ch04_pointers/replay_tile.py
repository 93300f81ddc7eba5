"""4.2.1, recorded: a window of 3 x 5 in a table of 6 x 8, in blocks
of 2 x 4; then the same window transposed."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch04_pointers.tile_copy import copy2d

table = torch.arange(48, dtype=torch.float32).reshape(6, 8)
window = table[1:4, 2:7]
copy2d(window, torch.empty(3, 5), block_m=2, block_n=4)
copy2d(window.T, torch.empty(5, 3), block_m=4, block_n=2)
