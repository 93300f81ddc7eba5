"""5.3: on a GPU: the tensor next door, and memory of nobody."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# ///

import subprocess
import sys

import torch

from ch05_grids.unmasked import (
    careless_double,
    careless_double_kernel,
)

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:child]
if sys.argv[1:] == ["child"]:
    x = torch.arange(1.0, 6.0, device=DEVICE)
    out = torch.empty(5, device=DEVICE)
    grid = (2**24,)  # sized for a tensor of 64 GiB
    try:
        careless_double_kernel[grid](x, out, 5, BLOCK=1024)
        print("the launch: returned")
        out.tolist()
        print("reading out: returned")
    except Exception as error:
        print(f"{type(error).__name__}: {str(error).splitlines()[0]}")
    sys.stdout.flush()
    sys.exit()
# --8<-- [end:child]

print("== the tensor next door ==")
# --8<-- [start:neighbour]
x = torch.arange(1.0, 6.0, device=DEVICE)
out = torch.zeros(5, device=DEVICE)
weights = torch.full((4096,), 7.0, device=DEVICE)
gap = (weights.data_ptr() - out.data_ptr()) // 4
print(f"elements of out: {out.numel()}")
print(f"weights begin at offset: {gap}")
for block in (8, 128, 1024):
    stray = careless_double(x, out, block)
    lost = (weights != 7.0).sum().item()
    predicted = max(0, stray.stop - gap)
    print(f"block {block}, weights lost: {lost}")
    print(f"block {block}, predicted: {predicted}")
    weights.fill_(7.0)
print(f"out is right: {torch.equal(out, 2 * x)}")
# --8<-- [end:neighbour]

print("== memory of nobody, in a process of its own ==")
# --8<-- [start:parent]
child = subprocess.run(
    [sys.executable, __file__, "child"],
    capture_output=True,
    text=True,
    timeout=100,
)
print(child.stdout, end="")
# --8<-- [end:parent]
