"""8.3.2: the same kernel on two views that are shifted by one."""

# /// capture
# runners = ["interpreter", "compiler"]
# no_gpu = "On a GPU the result of this race is not steady."
# ///

import torch

from ch12_elementwise.fma_relu import fma_relu_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
x = torch.ones(9, device=DEVICE)
a, b = x[:-1], x[1:]
print(f"expected: {(2 * a + 1).tolist()}")
fma_relu_kernel[(2,)](a, b, 2.0, 1.0, 8, BLOCK=4)
print(f"kernel: {b.tolist()}")
x = torch.ones(9, device=DEVICE)
try:
    torch.mul(x[:-1], 2.0, out=x[1:])
except RuntimeError as error:
    print(f"torch: {str(error).split(':')[0]}")
# --8<-- [end:demo]
