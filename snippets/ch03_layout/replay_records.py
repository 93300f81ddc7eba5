"""3.2, recorded: field x of eight particles, from records and from
columns, in memory that is drawn a sector a row."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch03_layout.records import field_kernel

particles = torch.arange(32.0).reshape(8, 4)
records = particles.reshape(4, 8)
columns = particles.T.contiguous().reshape(4, 8)
out = torch.empty(8)
field_kernel[(2,)](records, out, 8, 4, 1, 0, BLOCK=4)
field_kernel[(2,)](columns, out, 8, 1, 8, 0, BLOCK=4)
