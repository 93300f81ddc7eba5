"""5.1: how large a grid may be, and who says so."""

# /// capture
# timeout = 120
# differs = """The interpreter has no limit on an axis; a GPU
# has, and the launcher counts programs in 32 bits."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def count_kernel(
    count_ptr,  # one int64: how many programs have run
):
    tl.atomic_add(count_ptr, tl.full((), 1, tl.int64))
# --8<-- [end:kernel]


# --8<-- [start:demo]
grids = [(0,), (1, 65535), (1, 65536)]
if DEVICE == "cuda":  # too many for the interpreter
    grids += [(2**31,), (2**16, 2**15 - 1), (2**16, 2**15)]
for grid in grids:
    count = torch.zeros((), dtype=torch.int64, device=DEVICE)
    try:
        count_kernel[grid](count)
        print(f"grid {grid}: {count.item()} programs ran")
    except Exception as error:
        print(f"grid {grid}: {type(error).__name__}: {error}")
# --8<-- [end:demo]
