"""8.3.1, recorded: the difference in place, in two orders."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch08_allocation.difference import launch_difference

y = torch.tensor([1.0, 4, 9, 16, 25, 36, 49, 64])
launch_difference(y, y, block=4)
y = torch.tensor([1.0, 4, 9, 16, 25, 36, 49, 64])
launch_difference(y, y, last_first=True, block=4)
