"""Trap of 9.5: an address says where, not who. With the neighbour
among the named tensors, a stray store is taken for one of its own."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "It records the interpreter."
# ///

import torch

from ch05_grids.unmasked import careless_double
from ch09_debugging.recorder import Recorder

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
buffer = torch.full((16,), 7.0, device=DEVICE)
x = torch.arange(1.0, 6.0, device=DEVICE)
out, neighbour = buffer[:5], buffer[5:]
with Recorder(x=x, out=out, neighbour=neighbour) as recorder:
    careless_double(x, out, block=4)
recorder.report()
# --8<-- [end:demo]
