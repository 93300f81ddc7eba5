"""11.3.2, recorded: 2 x 3 times 3 x 4 in a dot of 16 x 16 x 16."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch11_hardware.small_dot import tile_dot

a = torch.tensor([[1, 2, 3], [4, 5, 6]]).half()
b = torch.arange(12).reshape(3, 4).half()
tile_dot(a, b)
