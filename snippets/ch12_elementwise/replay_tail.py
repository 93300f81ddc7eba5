"""12.1.1, recorded: five elements, two for each program."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch12_elementwise.fma_relu import fused_fma_relu

x = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0])
fused_fma_relu(x, 2.0, -1.0, block=2)
