"""12.2.1, recorded: three kernels, then one, on eight elements."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch12_elementwise.fma_relu import fused_fma_relu
from ch12_elementwise.three_kernels import chained_fma_relu

x = torch.arange(8.0)
chained_fma_relu(x, 2.0, -1.0, block=4)
fused_fma_relu(x, 2.0, -1.0, block=4)
