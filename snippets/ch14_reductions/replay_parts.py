"""14.4: two passes over ten elements, step by step."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch14_reductions.sum_all import sum_all

x = torch.arange(1.0, 11.0)
sum_all(x, length=4, block=2)
