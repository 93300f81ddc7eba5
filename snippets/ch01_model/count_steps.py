"""Why a time from the interpreter says nothing: its work is a Python
call for each operation of each program, however wide the block."""

# /// capture
# runners = ["interpreter", "compiler"]
# no_gpu = "It counts what only the interpreter does."
# ///

import torch
import triton
from triton.runtime import interpreter

from ch01_model.relu_toggle import relu_toggle

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**16

# --8<-- [start:demo]
steps = 0


def counted(function):
    def call(*args, **kwargs):
        global steps
        steps += 1
        return function(*args, **kwargs)

    return call


builder = interpreter.interpreter_builder
for name in dir(builder):
    if name.startswith("create_"):
        setattr(builder, name, counted(getattr(builder, name)))

x = torch.linspace(-1, 1, N, device=DEVICE)
counts = []
for block in [2048, N]:
    steps = 0
    out, _ = relu_toggle(x, True, block)
    counts.append(steps)
    print(f"== BLOCK {block} ==")
    print("programs:", triton.cdiv(N, block))
    print("right:", torch.equal(out, torch.relu(x)))
    print("Python calls of the interpreter:", steps)
print("== compared ==")
ratio = counts[0] / max(counts[1], 1)
print(f"calls, small block over large: {ratio:.0f}")
# --8<-- [end:demo]
