"""Trap of 1.3: a program that reads what its neighbour may not have
written yet, and how to catch it without a GPU."""

# /// capture
# differs = """
# The interpreter finishes a program before it starts the next;
# on a GPU the neighbour may still be at work."""
# [labels]
# "* first eight" = { kind = "volatile" }
# "* elements right" = { kind = "volatile" }
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
PROGRAMS = 64


# --8<-- [start:kernel]
@triton.jit
def relay_kernel(
    out_ptr,  # address of one int32 for each program, all 0
    REVERSED: tl.constexpr,  # whether to number programs backwards
):
    me = tl.program_id(0)
    if REVERSED:
        me = tl.num_programs(0) - 1 - me
    left = tl.load(out_ptr + me - 1, mask=me > 0, other=0)
    tl.store(out_ptr + me, left + 1)
# --8<-- [end:kernel]


# --8<-- [start:demo]
meant = torch.arange(1, PROGRAMS + 1, device=DEVICE)
for backwards in [False, True]:
    out = torch.zeros(PROGRAMS, dtype=torch.int32, device=DEVICE)
    relay_kernel[(PROGRAMS,)](out, REVERSED=backwards)
    name = "backwards" if backwards else "forwards"
    print(f"{name}, first eight: {out[:8].tolist()}")
    print(f"{name}, elements right: {(out == meant).sum().item()}")
    print(f"{name}, all right: {torch.equal(out.long(), meant)}")
# --8<-- [end:demo]
