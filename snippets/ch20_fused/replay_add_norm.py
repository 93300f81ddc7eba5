"""20.1: what a program of add and norm touches, recorded: three rows
of five, two rows a program."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch20_fused.add_rms_norm import add_rms_norm_kernel

rows, cols = 3, 5
x, stream = torch.arange(30.0).view(2, rows, cols)
weight = torch.ones(cols)
out, total = torch.empty(2, rows, cols)
rstd = torch.empty(rows)
add_rms_norm_kernel[(2,)](
    x, stream, weight, out, total, rstd, rows, cols, cols, cols, 1e-5,
    ROWS=2, BLOCK=8,
)  # fmt: skip
