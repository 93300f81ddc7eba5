"""9.3: a debugger in a program that nobody edited for it."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "No Python debugger stops in a compiled kernel."
# timeout = 120
# ///

import subprocess
import sys

import torch

from ch09_debugging.debugger import mean_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LINE = "    mean = total / BLOCK"

# --8<-- [start:demo]
if sys.argv[1:] == ["child"]:
    sys.breakpointhook = lambda: None  # forget the one in the source
    x = torch.arange(1.0, 16.0, device=DEVICE).reshape(3, 5)
    out = torch.zeros(3, device=DEVICE)
    mean_kernel[(3,)](x, out, 5, BLOCK=8)
    print("out:", out.tolist())
else:
    with open(__file__) as file:
        lines = [line.startswith(LINE) for line in file]
    number = lines.index(True) + 1
    commands = [f"b {number}, row == 2", "c", "p row, total", "c"]
    arguments = [word for c in commands for word in ("-c", c)]
    done = subprocess.run(
        [sys.executable, "-m", "pdb", *arguments, __file__, "child"],
        stdin=subprocess.DEVNULL,  # it ends when nothing is left
        capture_output=True,
        text=True,
    )
    for said in done.stdout.splitlines()[:3]:
        print(said.replace(f":{number}", ":LINE"))
# --8<-- [end:demo]
