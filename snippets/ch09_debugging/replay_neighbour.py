"""The trap of 9.5 under the book's own recorder, which follows each
pointer from the argument that it was made of."""

# /// capture
# runners = ["replay"]
# no_gpu = "It records the interpreter."
# ///

import torch

from ch05_grids.unmasked import careless_double

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

buffer = torch.full((16,), 7.0, device=DEVICE)
x = torch.arange(1.0, 6.0, device=DEVICE)
careless_double(x, buffer[:5], block=4)
