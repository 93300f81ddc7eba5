"""Trap of 3.3, recorded: a block each, and taking turns."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch03_layout.interleaved import copy_with, interleaved_copy_kernel
from ch03_layout.views import copy_kernel

x = torch.arange(32.0).reshape(4, 8)  # drawn a sector a row
copy_with(copy_kernel, x, block=8)
copy_with(interleaved_copy_kernel, x, block=8)
