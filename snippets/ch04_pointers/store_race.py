"""4.3: 4096 programs write their rows to one element, 200 times. Who
wins? GPU only."""

# /// capture
# runners = ["gpu"]
# [labels]
# "different winners" = { kind = "bound", limit = 200 }
# "won by the last program" = { kind = "bound", limit = 200 }
# ///

import torch

from ch04_pointers.tile_copy import copy_tile_kernel

M = 4096
LAUNCHES = 200

# --8<-- [start:race]
x = torch.arange(float(M), device="cuda").reshape(M, 1)
out = torch.empty(1, 1, device="cuda")
winners = []
for _ in range(LAUNCHES):
    copy_tile_kernel[(M, 1)](
        x, out, M, 1, 1, 1, 0, 0, BLOCK_M=1, BLOCK_N=1
    )
    winners.append(int(out.item()))
print(f"launches: {LAUNCHES}")
print(f"different winners: {len(set(winners))}")
print(f"won by the last program: {winners.count(M - 1)}")
# --8<-- [end:race]
