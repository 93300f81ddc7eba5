"""Trap of 3.5, recorded: the masks of a copy of 13 elements, which
four neighbours do not share."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch03_layout.interleaved import copy_with
from ch03_layout.views import copy_kernel

x = torch.arange(13.0)
copy_with(copy_kernel, x, block=16)
