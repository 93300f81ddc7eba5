"""17.4.2: a row that several programs add to, under a lock."""

# /// capture
# ptx = ["add_rows_kernel(BARRIER=True, SEM=release, BLOCK=32)"]
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def add_rows_kernel(
    x_ptr,  # address of x[0, 0], float32, rows x cols
    out_ptr,  # address of out[0], float32: the sum of the rows
    lock_ptr,  # address of one int32: 0 open, 1 taken
    cols,  # columns of x, elements of out, at most BLOCK
    BARRIER: tl.constexpr,  # wait for all warps before unlocking
    SEM: tl.constexpr,  # memory order of the unlocking
    BLOCK: tl.constexpr,  # lanes of this program
):
    lanes = tl.arange(0, BLOCK)
    mask = lanes < cols
    row = tl.program_id(0).to(tl.int64) * cols
    x = tl.load(x_ptr + row + lanes, mask=mask, other=0.0)
    while tl.atomic_cas(lock_ptr, 0, 1, sem="acquire") == 1:
        pass  # somebody else has it
    so_far = tl.load(out_ptr + lanes, mask=mask, other=0.0)
    tl.store(out_ptr + lanes, so_far + x, mask=mask)
    if BARRIER:
        tl.debug_barrier()
    tl.atomic_xchg(lock_ptr, 0, sem=SEM)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def add_rows(x, barrier=True, sem="release", num_warps=4):
    """The sum of the rows of x, at most 16384 columns."""
    if x.dtype != torch.float32 or x.dim() != 2:
        raise TypeError(f"need a float32 matrix, got {x.dtype}")
    if x.device.type != DEVICE or not x.is_contiguous():
        raise ValueError(f"need x contiguous on {DEVICE}")
    rows, cols = x.shape
    if cols > 16384:
        raise ValueError(f"need cols <= 16384, got {cols}")
    out = x.new_zeros(cols)
    lock = torch.zeros(1, dtype=torch.int32, device=x.device)
    if rows > 0 and cols > 0:
        add_rows_kernel[(rows,)](
            x, out, lock, cols, BARRIER=barrier, SEM=sem,
            BLOCK=max(32, triton.next_power_of_2(cols)),
            num_warps=num_warps,
        )  # fmt: skip
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 17.4.2 forty rows, one lock ==")
    # --8<-- [start:demo]
    x = torch.arange(120.0, device=DEVICE).reshape(40, 3)
    print(f"under a lock: {add_rows(x).tolist()}")
    print(f"torch: {x.sum(0).tolist()}")
    # --8<-- [end:demo]
