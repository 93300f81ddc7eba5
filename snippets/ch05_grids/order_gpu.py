"""5.5.1 on a GPU: which axis runs fastest, and how strictly."""

# /// capture
# runners = ["gpu"]
# [labels]
# "programs (*" = { kind = "volatile" }
# "axis *" = { kind = "volatile" }
# "in their exact place" = { kind = "volatile" }
# ///

import torch

from ch05_grids.order import tickets

SIDE = 256

print("== three by four ==")
# --8<-- [start:small]
for number, row in enumerate(tickets(3, 4)):
    print(f"programs ({number}, 0 to 3): {row.tolist()}")
# --8<-- [end:small]

print("== 256 by 256 ==")
# --8<-- [start:large]
tickets(SIDE, SIDE)  # the first launch compiles
ticket = tickets(SIDE, SIDE).long()
i = torch.arange(SIDE, device=ticket.device)
total = SIDE * SIDE
axis_0 = i[:, None] + i[None, :] * SIDE  # axis 0 runs fastest
axis_1 = i[:, None] * SIDE + i[None, :]  # axis 1 runs fastest
once = torch.equal(ticket.flatten().sort()[0], axis_1.flatten())
print(f"programs in all: {total}")
print(f"each ticket once: {once}")
for title, order in [("0", axis_0), ("1", axis_1)]:
    off = (ticket - order).abs().double().mean().item() / total
    print(f"axis {title} fastest, mean share off: {off:.4f}")
exact = (ticket == axis_0).sum().item()
print(f"in their exact place: {exact}")
# --8<-- [end:large]
