"""1.3, on a GPU: the order of 4096 programs, four launches."""

# /// capture
# runners = ["gpu"]
# [labels]
# "launch * starts with" = { kind = "volatile" }
# "launch * out of place" = { kind = "volatile" }
# ///

import torch

from ch01_model.tickets import order_of_programs

PROGRAMS = 4096

# --8<-- [start:demo]
numbers = torch.arange(PROGRAMS, device="cuda")
orders = []
for launch in range(1, 5):
    order = order_of_programs(PROGRAMS)
    orders.append(order)
    wrong = (order != numbers).sum().item()
    print(f"launch {launch} starts with: {order[:8].tolist()}")
    print(f"launch {launch} out of place: {wrong}")
    present = torch.equal(order.sort().values.long(), numbers)
    print(f"launch {launch} every program once: {present}")
in_order = any(torch.equal(o.long(), numbers) for o in orders)
print("== all four ==")
print("any launch in order:", in_order)
repeated = all(torch.equal(orders[0], o) for o in orders[1:])
print("all launches in one order:", repeated)
# --8<-- [end:demo]
