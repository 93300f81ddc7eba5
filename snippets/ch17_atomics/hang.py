"""17.4: a lock that nobody opens, in the interpreter, with an alarm
clock."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "On a GPU no alarm reaches the kernel."
# ///

import signal

import torch

from ch17_atomics.lock import add_rows_kernel

# --8<-- [start:trap]
x = torch.ones(1, 4)
out = torch.zeros(4)
lock = torch.ones(1, dtype=torch.int32)  # somebody has it


def ring(number, frame):
    raise TimeoutError("still spinning after a second")


signal.signal(signal.SIGALRM, ring)
signal.alarm(1)
try:
    add_rows_kernel[(1,)](
        x, out, lock, 4, BARRIER=True, SEM="release", BLOCK=4
    )
    print("done")
except Exception as error:
    print(f"raised: {error}")
# --8<-- [end:trap]
