"""5.3: the same store against a heap, in processes of its own."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "it is about the heap of a process on a CPU"
# timeout = 200
# [labels]
# "runs that *" = { kind = "volatile" }
# "run ?" = { kind = "volatile" }
# ///

import signal
import subprocess
import sys

import torch

from ch05_grids.unmasked import careless_double

RUNS = 5

# --8<-- [start:child]
if sys.argv[1:] == ["child"]:
    x = torch.arange(1.0, 6.0)
    out = torch.empty(5)  # 20 bytes, and somebody's behind them
    careless_double(x, out, block=64)
    print(out.tolist(), flush=True)
    sys.exit()
# --8<-- [end:child]

# --8<-- [start:parent]
right = died = 0
for run in range(1, RUNS + 1):
    child = subprocess.run(
        [sys.executable, __file__, "child"],
        capture_output=True,
        text=True,
    )
    right += child.stdout == "[2.0, 4.0, 6.0, 8.0, 10.0]\n"
    died += child.returncode < 0
    if child.returncode < 0:
        name = signal.Signals(-child.returncode).name
        words = child.stderr.strip().splitlines() or ["no words"]
        print(f"run {run}: {name}, {words[-1]}")
    else:
        print(f"run {run}: exit code {child.returncode}")
print(f"runs that printed the right result: {right}")
print(f"runs that died: {died}")
# --8<-- [end:parent]
