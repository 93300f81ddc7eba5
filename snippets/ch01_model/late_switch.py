"""Trap: TRITON_INTERPRET set after the import of triton."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "It is about a switch that a GPU does not need."
# timeout = 120
# ///

import os
import pathlib
import subprocess
import sys
import tempfile

# --8<-- [start:program]
PROGRAM = '''
import os
{early}
import torch
import triton
import triton.language as tl
{late}

@triton.jit
def total_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lanes, mask=lanes < n, other=0.0)
    tl.store(out_ptr, tl.sum(x, axis=0))

x = torch.ones(3)
out = torch.zeros(1)
total_kernel[(1,)](x, out, 3, BLOCK=4)
print("total:", out.item())
'''
SWITCH = 'os.environ["TRITON_INTERPRET"] = "1"'
# --8<-- [end:program]


def run(early="", late=""):
    """Run the program in a Python of its own, the switch unset."""
    bare = dict(os.environ)
    bare.pop("TRITON_INTERPRET", None)
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "program.py"
        file.write_text(PROGRAM.format(early=early, late=late))
        done = subprocess.run(
            [sys.executable, file],
            env=bare,
            capture_output=True,
            text=True,
        )
    print("exit code:", done.returncode)
    print((done.stdout + done.stderr).splitlines()[-1])


# --8<-- [start:demo]
print("== set before the import ==")
run(early=SWITCH)
print("== set after the import ==")
run(late=SWITCH)
# --8<-- [end:demo]
