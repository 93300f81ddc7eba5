"""8.2.1: a kernel that forgets elements, and a buffer that shows
it."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def lower_kernel(
    x_ptr,  # address of x[0, 0], float32, contiguous
    out_ptr,  # address of out[0, 0], the same
    n,  # rows, and columns
    TILE: tl.constexpr,  # side of a program's tile
):
    row = tl.program_id(0).to(tl.int64) * TILE + tl.arange(0, TILE)
    col = tl.program_id(1).to(tl.int64) * TILE + tl.arange(0, TILE)
    row, col = row[:, None], col[None, :]
    if tl.program_id(1) <= tl.program_id(0):  # the others: all zero
        mask = (row < n) & (col < n)
        x = tl.load(x_ptr + row * n + col, mask=mask, other=0.0)
        x = tl.where(col <= row, x, 0.0)
        tl.store(out_ptr + row * n + col, x, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def lower(x, make=torch.empty_like, tile=32):
    """The lower triangle of x; `make` allocates the output."""
    if x.dim() != 2 or x.shape[0] != x.shape[1]:
        raise ValueError(f"x must be square, is {tuple(x.shape)}")
    if x.dtype != torch.float32 or not x.is_contiguous():
        raise ValueError(
            f"x must be contiguous float32: {x.dtype}, "
            f"strides {x.stride()}"
        )
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    n = x.shape[0]
    out = make(x)
    if n > 0:
        tiles = triton.cdiv(n, tile)
        lower_kernel[(tiles, tiles)](x, out, n, TILE=tile)
    return out
# --8<-- [end:wrapper]


# --8<-- [start:poison]
def poisoned_like(x):
    """Like empty_like, but with contents that nobody overlooks."""
    if x.is_floating_point():
        return torch.full_like(x, float("nan"))
    return torch.full_like(x, torch.iinfo(x.dtype).max)


def unwritten(run, out):
    """Which elements does run(out) leave as they were?"""
    kept = torch.ones_like(out, dtype=torch.bool)
    # A run does not know which filling it gets. Not for bool.
    for value in (11, 47):
        out.fill_(value)
        run(out)
        kept &= out == value
    return kept
# --8<-- [end:poison]


if __name__ == "__main__":
    print("== 8.2.1 a poisoned output ==")
    # --8<-- [start:demo]
    x = torch.arange(1.0, 26.0, device=DEVICE).reshape(5, 5)
    right = torch.tril(x)
    zeroed = lower(x, torch.zeros_like, tile=2)
    print(f"from zeros, right: {torch.equal(zeroed, right)}")
    poisoned = lower(x, poisoned_like, tile=2)
    print(f"from poison, right: {torch.equal(poisoned, right)}")
    for number, row in enumerate(poisoned):
        print(f"from poison, row {number}: {row.tolist()}")
    kept = unwritten(lambda out: lower(x, lambda _: out, tile=2), x * 0)
    print(f"never written: {kept.sum().item()}")
    # --8<-- [end:demo]
