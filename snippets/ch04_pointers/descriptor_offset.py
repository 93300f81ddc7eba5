"""4.5: a block that begins at a column which is no multiple of 16
bytes. The interpreter names the rule, the GPU only its breach."""

# /// capture
# differs = """The interpreter checks the rule; the hardware stops at
# an illegal instruction."""
# ///

import torch

from ch04_pointers.descriptor_edges import peek

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
x = torch.arange(48.0, device=DEVICE).reshape(6, 8)
for col in (0, 4, 1):  # on a GPU the last one ends all further work
    try:
        print(f"column {col}: {peek(x, 1, col)[0].tolist()}")
    except Exception as error:
        cause = str(error.__cause__ or error)
        print(f"column {col}: {cause.splitlines()[0]}")
# --8<-- [end:demo]
