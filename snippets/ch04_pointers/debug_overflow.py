"""4.4: debug=True at launch puts a check behind every 32-bit sum and
product. The interpreter ignores the keyword."""

# /// capture
# runners = ["interpreter", "compiler"]
# no_gpu = """There the check ends the process; overflow_gpu shows it
# in a process of its own."""
# [labels]
# "gfx942" = { kind = "volatile" }  # loads the words of its message
# ///

import torch

from ch04_pointers.row_offset import row_offset_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
some = torch.zeros(1, dtype=torch.int8, device=DEVICE)
out = torch.empty(4, dtype=torch.int64, device=DEVICE)
for debug in (False, True):
    row_offset_kernel[(1,)](some, out, 2**16, 2, 2**15, debug=debug)
    print(f"debug={debug}, row * stride: {out[0].item()}")
# --8<-- [end:demo]
