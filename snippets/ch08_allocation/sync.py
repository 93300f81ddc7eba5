"""8.1.2 on a GPU: who makes the host wait?"""

# /// capture
# runners = ["gpu"]
# ///

import torch

from ch08_allocation.compact import positives
from ch12_elementwise.fma_relu import fused_fma_relu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
x = torch.randn(10000, device=DEVICE)
calls = {
    "fused_fma_relu": lambda: fused_fma_relu(x, 2.0, 1.0),
    "positives": lambda: positives(x),
    "boolean index": lambda: x[x > 0],
}
for name, call in calls.items():
    call()  # the first launch compiles
    torch.cuda.synchronize()
    torch.cuda.set_sync_debug_mode("error")
    try:
        call()
        print(f"{name}: does not wait")
    except RuntimeError as error:
        print(f"{name}: {str(error).splitlines()[0]}")
    torch.cuda.set_sync_debug_mode("default")
# --8<-- [end:demo]
