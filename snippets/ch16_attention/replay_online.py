"""16.2: the accesses of two programs of online_kernel, 6 queries and
6 keys, causal."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch16_attention.online import online_attention

torch.manual_seed(0)
q, k, v = torch.randn(3, 1, 1, 6, 2)
online_attention(q, k, v, causal=True, block=4)
