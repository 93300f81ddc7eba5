"""11.2: one stage more than shared memory holds."""

# /// capture
# differs = """
# The interpreter has no shared memory to run out of."""
# ///

import torch

from ch11_hardware.matmul import DEVICE, matmul

TILE = (128, 256, 64)

# --8<-- [start:demo]
print("== 11.2.2 four stages, and five ==")
torch.manual_seed(0)
a = torch.randint(-2, 3, (128, 128)).half().to(DEVICE)
b = torch.randint(-2, 3, (128, 256)).half().to(DEVICE)
exact = (a.cpu().double() @ b.cpu().double()).half().to(DEVICE)
for stages in (4, 5):
    try:
        out = matmul(a, b, TILE, num_warps=8, num_stages=stages)[0]
        print(f"num_stages {stages}:", "right" * out.equal(exact))
    except Exception as error:
        print(f"num_stages {stages}:", type(error).__name__)
        print("message:", str(error).strip().splitlines()[-1])
# --8<-- [end:demo]
