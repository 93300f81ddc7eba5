"""Trap of 9.6: a bisection that asks for equality blames the first
step that rounds."""

import torch

from ch09_debugging.bisect_steps import (
    STEPS,
    TOLERANCE,
    data,
    gated_norm,
    oracle,
)

# --8<-- [start:demo]
inputs = data(6, 10)
for mended in (False, True):
    unequal, far = [], []
    for step in range(1, STEPS + 1):
        got = gated_norm(*inputs, stop=step, mended=mended)
        want = oracle(*inputs)[step - 1]
        if not torch.equal(got, want.float()):
            unequal.append(step)
        if (got.double() - want).abs().max() > TOLERANCE:
            far.append(step)
    print(f"mended {mended}, steps not equal: {unequal}")
    print(f"mended {mended}, steps too far off: {far}")
# --8<-- [end:demo]
