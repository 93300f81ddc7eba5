"""2.1.1, recorded: BLOCK 16 and BLOCK 2 on the same eight numbers."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch02_parameterization.constexpr_shape import double

x = torch.arange(8, dtype=torch.float32)
double(x, 16)
double(x, 2)
