"""6.3, recorded: a flat kernel meets a transposed view, a sliced one
and the gradient of a sum."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch06_contract.one_address import flat_scale

x = torch.arange(12.0).reshape(3, 4)
transposed = x.T
sliced = x[:, :2]
grad = torch.ones(()).expand(2, 3)  # as y.sum().backward() makes it
flat_scale(transposed, 2.0, block=4)
flat_scale(sliced, 2.0, block=4)
flat_scale(grad, 2.0, block=4)
