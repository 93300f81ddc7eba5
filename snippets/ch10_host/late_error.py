"""10.3.1 on a GPU: one illegal access, three ways to run it, each in a
process of its own."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# ///

import os
import subprocess
import sys

import torch

from ch05_grids.unmasked import careless_double_kernel
from ch12_elementwise.fma_relu import fused_fma_relu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
MODES = ("as written", "CUDA_LAUNCH_BLOCKING=1", "waiting after each")


# --8<-- [start:child]
def child(mode):
    x = torch.arange(1.0, 6.0, device=DEVICE)
    out = torch.empty(5, device=DEVICE)
    room = torch.empty(1024, device=DEVICE)
    careless_double_kernel[(1,)](x, room, 5, BLOCK=1024)  # compiles
    fused_fma_relu(x, 2.0, 1.0)
    torch.add(x, x)
    torch.cuda.synchronize()
    torch.cuda._sleep(100_000_000)  # the GPU is behind, as usual

    def careless():
        grid = (2**24,)  # sized for a tensor of 64 GiB
        careless_double_kernel[grid](x, out, 5, BLOCK=1024)

    steps = {
        "careless_double_kernel": careless,
        "torch.add": lambda: torch.add(x, x),
        "fused_fma_relu": lambda: fused_fma_relu(x, 2.0, 1.0),
        "x.tolist": lambda: x.tolist(),
    }
    for name, step in steps.items():
        try:
            step()
            if mode == "waiting after each":
                torch.cuda.synchronize()
            print(f"{name}: returned")
        except RuntimeError as error:
            line = str(error).splitlines()[0]
            print(f"{name}: {type(error).__name__}: {line}")
            break
    sys.stdout.flush()
    os._exit(0)  # nothing on the GPU can be tidied up any more
# --8<-- [end:child]


if sys.argv[1:]:
    child(sys.argv[1])

# --8<-- [start:parent]
processes = {}
for mode in MODES:
    blocking = "1" if mode == "CUDA_LAUNCH_BLOCKING=1" else "0"
    processes[mode] = subprocess.Popen(
        [sys.executable, __file__, mode],
        env={**os.environ, "CUDA_LAUNCH_BLOCKING": blocking},
        stdout=subprocess.PIPE,
        text=True,
    )
for mode, process in processes.items():
    print(f"== {mode} ==")
    print(process.communicate(timeout=100)[0], end="")
# --8<-- [end:parent]
