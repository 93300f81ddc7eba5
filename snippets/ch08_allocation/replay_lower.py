"""8.2.1, recorded: a lower triangle whose upper tiles nobody
writes."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch08_allocation.lower import lower, poisoned_like

lower(torch.arange(1.0, 26.0).reshape(5, 5), poisoned_like, tile=2)
