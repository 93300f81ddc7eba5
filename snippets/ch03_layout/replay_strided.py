"""3.3, recorded: eight elements side by side, and one in four, in
memory that is drawn a sector a row."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch03_layout.strided import strided_kernel

x = torch.arange(32.0).reshape(4, 8)
out = torch.empty(8)
strided_kernel[(2,)](x, out, 8, 1, BLOCK=4)
strided_kernel[(2,)](x, out, 8, 4, BLOCK=4)
