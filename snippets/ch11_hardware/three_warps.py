"""11.1: num_warps=3."""

# /// capture
# runners = ["interpreter", "gpu"]
# differs = "The interpreter has no warps and ignores num_warps."
# ///

import torch

from ch01_model.relu_toggle import DEVICE, _relu_toggle_kernel

# --8<-- [start:demo]
print("== 11.1.2 num_warps = 3 ==")
x = torch.arange(-3.0, 3.0, device=DEVICE)
out = torch.zeros_like(x)
try:
    _relu_toggle_kernel[(1,)](
        x, out, 6, USE_RELU=True, BLOCK=8, num_warps=3
    )
except Exception as error:
    print("raised:", type(error).__name__)
    print("message:", str(error).strip().splitlines()[-1])
print("out:", out.tolist())
# --8<-- [end:demo]
