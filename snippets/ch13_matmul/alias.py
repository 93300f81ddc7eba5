"""13.5: a variable that keeps the last turn's value, and starts as
another's: compiled, it never changes."""

# /// capture
# differs = "the compiler loses a variable of the loop"
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
TURNS = 5


# --8<-- [start:kernel]
@triton.jit
def previous_kernel(
    out_ptr,  # address of out[0], one int32 for each turn
    first,  # the number of the first turn
    turns,  # how many turns there are
    COPY: tl.constexpr,  # whether `before` starts as its own value
):
    now = first
    before = (now + 0) if COPY else now
    for turn in range(0, turns):
        tl.store(out_ptr + turn, before)
        before = now
        now += 1
# --8<-- [end:kernel]


print("== what a turn sees of the turn before ==")
for copy in (False, True):
    out = torch.empty(TURNS, dtype=torch.int32, device=DEVICE)
    previous_kernel[(1,)](out, 7, TURNS, COPY=copy)
    start = "now + 0" if copy else "now"
    print(f"before = {start}: {out.tolist()}")
