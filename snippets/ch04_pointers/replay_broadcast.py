"""4.3.1, recorded: a row and then a column added to 3 x 4 numbers."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch04_pointers.broadcast_add import broadcast_add

x = torch.arange(12, dtype=torch.float32).reshape(3, 4)
broadcast_add(x, torch.ones(1, 4), block_m=2, block_n=4)
broadcast_add(x, torch.ones(3, 1), block_m=2, block_n=4)
