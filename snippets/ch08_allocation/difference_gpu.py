"""8.3.1 on a GPU: how many elements go wrong, in how many launches."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# [labels]
# "*, launches with a wrong element" = { kind = "bound", limit = 50 }
# "*, wrong elements in all" = { kind = "bound", limit = 1e8 }
# "*, of these at the end of a block" = { kind = "bound", limit = 1e8 }
# ///

import torch

from ch08_allocation.difference import launch_difference

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LAUNCHES = 50
BLOCK = 1024

# --8<-- [start:demo]
print(f"launches each: {LAUNCHES}")
for n in (BLOCK, 2**16, 2**24):
    x = torch.randn(n, device=DEVICE)
    right = torch.empty_like(x)
    launch_difference(x, right, block=BLOCK)
    for order, last_first in [("first", False), ("last", True)]:
        bad = total = ends = 0
        for _ in range(LAUNCHES):
            y = x.clone()
            launch_difference(y, y, last_first, block=BLOCK)
            wrong = (y != right).nonzero().flatten()
            bad += wrong.numel() > 0
            total += wrong.numel()
            ends += (wrong % BLOCK == BLOCK - 1).sum().item()
        title = f"n = {n}, {order} block first"
        print(f"{title}, launches with a wrong element: {bad}")
        print(f"{title}, wrong elements in all: {total}")
        print(f"{title}, of these at the end of a block: {ends}")
# --8<-- [end:demo]
