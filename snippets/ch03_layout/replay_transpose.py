"""3.4, recorded: a 6 x 8 matrix, row by row and in tiles of 4 x 4."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch03_layout.transpose import naive_transpose, tiled_transpose

x = torch.arange(48.0).reshape(6, 8)
naive_transpose(x, block=4)
tiled_transpose(x, tile=4)
