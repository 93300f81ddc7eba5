"""13.2: what a program loads, recorded: for one element, and for a
tile of two by two."""

# /// capture
# runners = ["replay"]
# ///

import torch

from ch11_hardware.matmul import matmul
from ch13_matmul.naive import matmul_elements

a = torch.arange(16.0).reshape(4, 4)
b = torch.arange(16.0).reshape(4, 4)

by_element = matmul_elements(a.half(), b.half(), block_k=4)
by_tile, _ = matmul(a, b, (2, 2, 2))
