"""5.1.1: who owns which element, under grids of three sizes."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def owner_kernel(
    out_ptr,  # address of out[0], int32
    n,  # how many elements out has
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    pid = tl.program_id(0)
    offsets = pid.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, pid, mask=offsets < n)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def owners(n: int, block: int, programs: int | None = None):
    """Each element's owner; -1 where no program came by."""
    if n < 0:
        raise ValueError(f"n is {n}, wanted 0 or more")
    if programs is None:
        programs = triton.cdiv(n, block)
    out = torch.full((n,), -1, dtype=torch.int32, device=DEVICE)
    owner_kernel[(programs,)](out, n, BLOCK=block)
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 5.1.1 ten elements, blocks of four ==")
    # --8<-- [start:demo]
    n, block = 10, 4
    floor = n // block
    cover = triton.cdiv(n, block)
    print(f"n // block: {floor}")
    print(f"cdiv(n, block): {cover}")
    print(f"rounded down: {owners(n, block, floor).tolist()}")
    print(f"rounded up: {owners(n, block, cover).tolist()}")
    print(f"one more: {owners(n, block, cover + 1).tolist()}")
    print(f"n = 3, rounded down: {owners(3, block, 0).tolist()}")
    print(f"n = 0, rounded up: {owners(0, block).tolist()}")
    # --8<-- [end:demo]
