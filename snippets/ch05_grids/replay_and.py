"""5.4.1, recorded: the mask with &, then the one with and."""

# /// capture
# runners = ["replay"]
# ///

import torch
import triton

from ch05_grids.mask_and import even_and_kernel, even_kernel

buffer = torch.zeros(8, dtype=torch.int32)
out = buffer[:5]
grid = (triton.cdiv(5, 8),)
even_kernel[grid](out, 5, BLOCK=8)
even_and_kernel[grid](out, 5, BLOCK=8)
