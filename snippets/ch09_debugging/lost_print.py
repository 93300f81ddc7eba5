"""Trap of 9.1: a kernel's output, caught in Python's standard output
and at the descriptor below it."""

# /// capture
# runners = ["interpreter", "gpu"]
# differs = "The interpreter prints with Python, the driver with C."
# ///

import contextlib
import io

import torch

from ch09_debugging.who_prints import BLOCK, captured, print_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
x = torch.arange(1.0, 5.0, device=DEVICE)


def launch():
    print_kernel[(1,)](x, 4, "device_print", BLOCK=BLOCK)
    if DEVICE == "cuda":
        torch.cuda.synchronize()


text = io.StringIO()


def launch_redirected():
    with contextlib.redirect_stdout(text):
        launch()


below = captured(launch_redirected)
print("caught by redirect_stdout:", len(text.getvalue().splitlines()))
print("arrived at descriptor 1 all the same:", len(below))
# --8<-- [end:demo]
