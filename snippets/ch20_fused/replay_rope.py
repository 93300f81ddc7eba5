"""20.3: which numbers a program of RoPE turns, recorded: two
positions of one head each for q and k, three pairs in four lanes."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch20_fused.rope import rope_into, rope_table

x = torch.arange(24.0).view(1, 2, 2, 6)
rope_into(x, x, *rope_table(2, 6, device="cpu"))
