"""5.2.1, recorded: five elements in eight lanes, then the load
that believes n = 8."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch05_grids.other import lanes

x = torch.full((8,), 100.0)[:5]
x.copy_(torch.arange(1.0, 6.0))
lanes(x, 5, -1.0)
lanes(x, 8, None)
