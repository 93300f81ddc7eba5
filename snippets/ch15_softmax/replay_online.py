"""15.2.2, recorded: a row of seven, in three reads and in two."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch15_softmax.online import softmax_online
from ch15_softmax.three_sweeps import softmax_three

x = torch.arange(7.0).reshape(1, 7)
softmax_three(x, block=4, warps=1)
softmax_online(x, lanes=2, each=2, warps=1)
