"""17.3.1: programs that add 1 to one number: load, add, store, or in
one step."""

# /// capture
# differs = """
# The interpreter lets each program finish before the next one starts,
# so no update is lost; on a GPU they overlap."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
TIMES = 64  # programs


# --8<-- [start:kernel]
@triton.jit
def count_up_kernel(
    count_ptr,  # address of one int32
    ATOMIC: tl.constexpr,  # add in one step
):
    if ATOMIC:
        tl.atomic_add(count_ptr, 1)
    else:
        count = tl.load(count_ptr)
        tl.store(count_ptr, count + 1)
# --8<-- [end:kernel]


def count_up(programs: int, atomic: bool) -> int:
    """What 0 becomes when so many programs add 1 to it."""
    if not 0 <= programs <= 2**31 - 1:
        raise ValueError(f"cannot launch {programs} programs")
    count = torch.zeros(1, dtype=torch.int32, device=DEVICE)
    if programs > 0:
        count_up_kernel[(programs,)](count, ATOMIC=atomic)
    return count.item()


if __name__ == "__main__":
    print("== 17.3.1 sixty-four programs count themselves ==")
    # --8<-- [start:demo]
    for name, atomic in [("load, add, store", False), ("atomic", True)]:
        right = count_up(TIMES, atomic) == TIMES
        print(f"{name}, right: {right}")
    # --8<-- [end:demo]
