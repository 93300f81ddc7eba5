"""1.3: every program writes down its number, every lane its place."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LANES = 4  # of one program


# --8<-- [start:kernel]
@triton.jit
def who_am_i_kernel(
    program_ptr,  # address of n int32: who wrote element i
    lane_ptr,  # address of n int32: which of its lanes
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # lanes of one program, a power of two
):
    program = tl.program_id(0)  # one number
    lanes = tl.arange(0, BLOCK)  # a block of numbers
    offsets = program * BLOCK + lanes
    mask = offsets < n
    tl.store(program_ptr + offsets, program, mask=mask)
    tl.store(lane_ptr + offsets, lanes, mask=mask)
# --8<-- [end:kernel]


def who_am_i(n: int, block: int = LANES):
    """For each of n elements: its program, and its lane in there."""
    if not 0 <= n <= 2**30:
        raise ValueError(f"need 0 <= n <= {2**30}, got {n}")
    program = torch.empty(n, dtype=torch.int32, device=DEVICE)
    lane = torch.empty_like(program)
    if n > 0:
        grid = (triton.cdiv(n, block),)
        who_am_i_kernel[grid](program, lane, n, BLOCK=block)
    return program, lane


if __name__ == "__main__":
    print("== 1.3.1 ten elements, four lanes a program ==")
    # --8<-- [start:demo]
    program, lane = who_am_i(10)
    print("element:", list(range(10)))
    print("program:", program.tolist())
    print("lane:   ", lane.tolist())
    print("programs launched:", triton.cdiv(10, LANES))
    print("lanes in all:", triton.cdiv(10, LANES) * LANES)
    rebuilt = program * LANES + lane
    print("program * LANES + lane:", rebuilt.tolist())
    # --8<-- [end:demo]
