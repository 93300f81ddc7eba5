"""8.3.1: the order of the programs decides, and the interpreter's
order is the lucky one."""

# /// capture
# runners = ["interpreter", "compiler"]
# no_gpu = "difference_gpu runs the same on a GPU."
# ///

import torch

from ch08_allocation.difference import launch_difference

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
x = torch.tensor([1.0, 4, 9, 16, 25, 36, 49, 64], device=DEVICE)
for order, last_first in [("first", False), ("last", True)]:
    y = x.clone()
    launch_difference(y, y, last_first, block=4)
    print(f"{order} block first: {y.tolist()}")
# --8<-- [end:demo]
