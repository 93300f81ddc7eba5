"""14.5.5: h = a * h + b along rows, a scan with a combine function
of two numbers."""

import torch
import triton
import triton.language as tl

from ch14_reductions.sum_rows import DEVICE, check_rows


# --8<-- [start:kernel]
@triton.jit
def compose(a, b, c, d):
    """First h -> a * h + b, then h -> c * h + d, as one step."""
    return c * a, c * b + d


@triton.jit
def recurrence_kernel(
    a_ptr,  # factors, one float32 row after another, contiguous
    b_ptr,  # summands, likewise
    out_ptr,  # every h, likewise
    cols,  # elements of a row
    BLOCK: tl.constexpr,  # elements scanned at a time
):
    row = tl.program_id(0).to(tl.int64) * cols
    lane = tl.arange(0, BLOCK)
    h = 0.0  # before the block
    for start in range(0, cols, BLOCK):
        place = row + start + lane
        mask = start + lane < cols
        a = tl.load(a_ptr + place, mask=mask, other=1.0)
        b = tl.load(b_ptr + place, mask=mask, other=0.0)
        factor, summand = tl.associative_scan((a, b), 0, compose)
        out = factor * h + summand
        tl.store(out_ptr + place, out, mask=mask)
        h = tl.sum(tl.where(lane == BLOCK - 1, out, 0.0), axis=0)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def recurrence(a, b, block=1024):
    """h[t] = a[t] * h[t - 1] + b[t] along rows, from h = 0."""
    for x in (a, b):
        check_rows(x)
        if x.dtype != torch.float32 or not x.is_contiguous():
            raise ValueError(
                f"wanted contiguous float32, got {x.dtype}, "
                f"strides {x.stride()}"
            )
    if a.shape != b.shape:
        raise ValueError(f"{tuple(a.shape)} against {tuple(b.shape)}")
    rows, cols = a.shape
    out = torch.empty_like(a)
    if out.numel() > 0:
        block = min(block, triton.next_power_of_2(cols))
        recurrence_kernel[(rows,)](a, b, out, cols, BLOCK=block)
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 14.5.5 a recurrence ==")
    # --8<-- [start:demo]
    a = torch.full((1, 10), 0.5, device=DEVICE)
    b = torch.full((1, 10), 8.0, device=DEVICE)
    h, one_by_one = 0.0, []
    for _ in range(10):
        h = 0.5 * h + 8.0
        one_by_one.append(h)
    print(f"scan: {recurrence(a, b, block=4)[0].tolist()}")
    print(f"one by one: {one_by_one}")
    # --8<-- [end:demo]
