"""14.2: the access pattern of row sums with a tile, step by step."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch14_reductions.sum_rows import sum_rows

x = torch.arange(1.0, 19.0).reshape(3, 6)
sum_rows(x, tile=(2, 4))
