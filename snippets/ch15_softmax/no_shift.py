"""Trap of 15.1: a softmax that does not subtract the maximum."""

import torch
import triton
import triton.language as tl

from ch15_softmax.softmax import NO_SCORE, softmax_rows

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def plain_softmax_kernel(
    x_ptr,  # address of x[0, 0], float32, contiguous
    out_ptr,  # address of out[0, 0], like x
    cols,  # how many columns, at most BLOCK
    BLOCK: tl.constexpr,  # lanes, a power of two
):
    col = tl.arange(0, BLOCK)
    place = tl.program_id(0).to(tl.int64) * cols + col
    x = tl.load(x_ptr + place, mask=col < cols, other=NO_SCORE)
    e = tl.exp(x)
    y = e / tl.sum(e, axis=0)
    tl.store(out_ptr + place, y, mask=col < cols)
# --8<-- [end:kernel]


def plain_softmax(x):
    if x.dtype != torch.float32 or not x.is_contiguous():
        raise ValueError(f"wanted contiguous float32, got {x.dtype}")
    out = torch.empty_like(x)
    rows, cols = x.shape
    if x.numel() == 0:
        return out
    block = triton.next_power_of_2(cols)
    plain_softmax_kernel[(rows,)](x, out, cols, BLOCK=block)
    return out


if __name__ == "__main__":
    print("== trap of 15.1: no shift ==")
    # --8<-- [start:demo]
    x = torch.tensor([[0.0, 1.0, 2.0]], device=DEVICE)
    for shift in (-200, 0, 80, 90):
        plain = plain_softmax(x + shift)[0].tolist()
        ours = softmax_rows(x + shift)[0].tolist()
        print(f"shift {shift} plain: {[round(v, 3) for v in plain]}")
        print(f"shift {shift} ours: {[round(v, 3) for v in ours]}")
    # --8<-- [end:demo]
