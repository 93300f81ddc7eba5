"""10.2.1: a launch returns. Is its kernel done?"""

# /// capture
# runners = ["interpreter", "gpu"]
# differs = """
# The interpreter runs the kernel inside the launch; on a GPU the
# launch only queues it."""
# ///

import torch

from ch12_elementwise.fma_relu import fused_fma_relu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:demo]
def idle():
    """Whether the device has nothing left to do for us."""
    return DEVICE == "cpu" or torch.cuda.current_stream().query()


print("== 10.2.1 a launch returns ==")
x = torch.arange(4.0, device=DEVICE)
fused_fma_relu(x, 2.0, 1.0)  # the first launch compiles
if DEVICE == "cuda":
    torch.cuda.synchronize()
    torch.cuda._sleep(100_000_000)  # cycles: queued work of others
out = fused_fma_relu(x, 2.0, 1.0)
print(f"done when the launch returned: {idle()}")
print(f"out: {out.tolist()}")  # waits
print(f"done after reading: {idle()}")
# --8<-- [end:demo]
