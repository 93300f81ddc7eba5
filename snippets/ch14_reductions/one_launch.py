"""Trap of 14.4: the last program adds up what the others wrote."""

# /// capture
# differs = "the interpreter runs the programs one after another"
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
CHUNK = 2**14  # elements of one program
BLOCK = 1024


# --8<-- [start:kernel]
@triton.jit
def one_launch_kernel(
    x_ptr,  # n floats
    part_ptr,  # one float for each program
    out_ptr,  # a single float
    n,  # elements of x
    CHUNK: tl.constexpr,  # elements of one program
    PARTS: tl.constexpr,  # at least as many as there are programs
    BLOCK: tl.constexpr,  # elements read in one turn
):
    part = tl.program_id(0)
    programs = tl.num_programs(0)
    total = tl.zeros((BLOCK,), tl.float32)
    first = part * CHUNK
    for start in range(first, tl.minimum(first + CHUNK, n), BLOCK):
        place = start + tl.arange(0, BLOCK)
        total += tl.load(x_ptr + place, mask=place < n, other=0.0)
    tl.store(part_ptr + part, tl.sum(total, axis=0))
    if part == programs - 1:  # surely the others are done?
        lane = tl.arange(0, PARTS)
        sums = tl.load(
            part_ptr + lane, mask=lane < programs, other=0.0
        )
        tl.store(out_ptr, tl.sum(sums, axis=0))
# --8<-- [end:kernel]


print("== trap of 14.4: one launch ==")
# --8<-- [start:trap]
n = 15 * CHUNK + 1  # a single element for the last program
programs = triton.cdiv(n, CHUNK)
x = torch.ones(n, device=DEVICE)
right = 0
for _ in range(10):
    parts = torch.zeros(programs, device=DEVICE)
    out = torch.zeros(1, device=DEVICE)
    one_launch_kernel[(programs,)](
        x, parts, out, n, CHUNK=CHUNK,
        PARTS=triton.next_power_of_2(programs), BLOCK=BLOCK,
    )  # fmt: skip
    right += out.item() == n
print(f"right in 10 launches: {right}")
print(f"the parts, added afterwards: {parts.sum().item() == n}")
# --8<-- [end:trap]
