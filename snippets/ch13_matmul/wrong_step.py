"""13.5: a persistent loop whose step is a constant, launched with
another grid."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
TILES = 12


# --8<-- [start:kernel]
@triton.jit
def visit_kernel(
    counts_ptr,  # address of one counter for each tile, int32
    tiles,  # how many tiles there are
    STEP: tl.constexpr,  # programs, as the author thought; 0: ask
):
    step = tl.num_programs(0) if STEP == 0 else STEP
    for number in range(tl.program_id(0), tiles, step):
        tl.atomic_add(counts_ptr + number, 1)
# --8<-- [end:kernel]


print("== 12 tiles, a loop that was written for 4 programs ==")
for programs in (4, 3, 6):
    for step in (4, 0):
        counts = torch.zeros(TILES, dtype=torch.int32, device=DEVICE)
        visit_kernel[(programs,)](counts, TILES, STEP=step)
        how = "num_programs" if step == 0 else f"step {step}"
        print(f"{programs} programs, {how}: {counts.tolist()}")
