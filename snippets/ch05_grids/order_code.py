"""5.5: tiles of several widths: the same code, the same result."""

# /// capture
# runners = ["interpreter", "compiler"]
# no_gpu = "order_width runs the same tiles on a GPU"
# ///

import torch

from ch05_grids.swizzle import DEVICE, double

LANES = 4096  # elements of a tile, whatever its width

x = torch.randn(1024, 64).to(DEVICE)
for width in (4, 8, 16, 32, 64):
    out = double(x, LANES // width, width, group=1)
    print(f"width {width}, right: {torch.equal(out, 2 * x)}")
