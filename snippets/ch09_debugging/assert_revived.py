"""9.2: one line that gives the interpreter its assertions back, and
the check of 32-bit arithmetic with them."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "It is about the interpreter; see assert_gpu for a GPU."
# ///

import os

import torch
from triton.runtime import interpreter

from ch04_pointers.row_offset import row_offset_kernel
from ch09_debugging.asserts import attempt

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BROKEN = [4.0, -9.0, 16.0, 25.0]
SOUND = [4.0, 9.0, 16.0]

# --8<-- [start:deaf]
print("== as it is ==")
print("debug=True:", attempt("device_assert", BROKEN, debug=True))
os.environ["TRITON_DEBUG"] = "1"
print("TRITON_DEBUG=1:", attempt("device_assert", BROKEN))
# --8<-- [end:deaf]

# --8<-- [start:revive]
print("== with its option set ==")
options = interpreter.InterpreterOptions(debug=True)
interpreter.interpreter_builder.options = options
print("device_assert:", attempt("device_assert", BROKEN))
print("three sound values:", attempt("device_assert", SOUND))
masked = attempt("device_assert, masked", SOUND)
print("three sound values, masked:", masked)
print("assert:", attempt("assert", BROKEN))
# --8<-- [end:revive]

# --8<-- [start:overflow]
some = torch.zeros(1, dtype=torch.int8, device=DEVICE)
out = torch.empty(4, dtype=torch.int64, device=DEVICE)
try:
    row_offset_kernel[(1,)](some, out, 2**16, 2, 2**15)
except Exception as error:
    print("row * stride:", error)
# --8<-- [end:overflow]
