"""17.1.1, recorded: an atomic for each element."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch17_atomics.histogram import count_each_kernel

x = torch.tensor([3, 1, 3, 0, 3, -1], dtype=torch.int32)
counts = torch.zeros(4, dtype=torch.int32)
count_each_kernel[(2,)](
    x, counts, 6, 4, 1, BLOCK=4, SEM="relaxed"
)
