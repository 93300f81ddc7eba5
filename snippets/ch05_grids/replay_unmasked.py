"""5.3.1, recorded: five elements in eight lanes, no mask on the
store."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch05_grids.unmasked import careless_double

buffer = torch.full((16,), 7.0)
careless_double(torch.arange(1.0, 6.0), buffer[:5], block=4)
