"""4.3, recorded: three programs store to the same four elements."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch04_pointers.tile_copy import copy_tile_kernel

x = torch.arange(12, dtype=torch.float32).reshape(3, 4)
wide = torch.empty(1, 4).expand(3, 4)
copy_tile_kernel[(3, 1)](
    x, wide, 3, 4, *x.stride(), *wide.stride(), BLOCK_M=1, BLOCK_N=4
)
