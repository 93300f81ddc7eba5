"""6.2.1, recorded: a transposed, a sliced and an expanded view."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch06_contract.strided_scale import scale

x = torch.arange(12.0).reshape(3, 4)
transposed = x.T
sliced = x[:, ::2]
expanded = x[:, 1:2].expand(3, 4)
scale(transposed, 2.0, block=(2, 4))
scale(sliced, 2.0, block=(4, 2))
scale(expanded, 2.0, block=(4, 2))
