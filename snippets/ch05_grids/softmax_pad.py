"""Trap of 5.2: a masked lane computes, and a sum believes it."""

import torch
import triton
import triton.language as tl

from ch05_grids.padding import INF, check_rows

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:softmax]
@triton.jit
def softmax_kernel(
    x_ptr,  # address of x[0, 0], float32, rows of cols elements
    out_ptr,  # address of out[0, 0], shaped like x
    cols,  # how many columns x has
    pad,  # what a masked lane holds, a float
    BLOCK: tl.constexpr,  # lanes of one program, at least cols
):
    first = tl.program_id(0).to(tl.int64) * cols
    j = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + first + j, mask=j < cols, other=pad)
    e = tl.exp(x - tl.max(x, axis=0))
    y = e / tl.sum(e, axis=0)
    tl.store(out_ptr + first + j, y, mask=j < cols)
# --8<-- [end:softmax]


# --8<-- [start:variance]
@triton.jit
def variance_kernel(
    x_ptr,  # address of x[0, 0], float32, rows of cols elements
    out_ptr,  # address of out[0]: the variance of each row
    cols,  # how many columns x has
    AGAIN: tl.constexpr,  # mask again, before the second sum
    BLOCK: tl.constexpr,  # lanes of one program, at least cols
):
    row = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, BLOCK)
    mask = j < cols
    x = tl.load(x_ptr + row * cols + j, mask=mask, other=0.0)
    mean = tl.sum(x, axis=0) / cols
    away = x - mean  # a masked lane holds 0 - mean now
    if AGAIN:
        away = tl.where(mask, away, 0.0)
    tl.store(out_ptr + row, tl.sum(away * away, axis=0) / cols)
# --8<-- [end:variance]


# --8<-- [start:wrappers]
def softmax(x: torch.Tensor, pad: float = -INF) -> torch.Tensor:
    check_rows(x)
    rows, cols = x.shape
    out = torch.empty_like(x)
    block = triton.next_power_of_2(cols)
    softmax_kernel[(rows,)](x, out, cols, float(pad), BLOCK=block)
    return out


def variance(x: torch.Tensor, again: bool = True) -> torch.Tensor:
    check_rows(x)
    rows, cols = x.shape
    out = torch.empty(rows, device=x.device)
    block = triton.next_power_of_2(cols)
    variance_kernel[(rows,)](x, out, cols, AGAIN=again, BLOCK=block)
    return out
# --8<-- [end:wrappers]


if __name__ == "__main__":
    print("== softmax of five elements in eight lanes ==")
    # --8<-- [start:demo]
    x = torch.tensor([[-3.0, -1.0, -2.0, -5.0, -4.0]], device=DEVICE)
    for pad in (0.0, -INF):
        y = softmax(x, pad)
        print(f"pad {pad}, row sum: {y.sum().item():.4f}")
    good = torch.allclose(softmax(x), torch.softmax(x, dim=1))
    print(f"allclose to torch.softmax with pad -inf: {good}")

    print("== variance of five elements in eight lanes ==")
    x = torch.tensor([[9.0, 10.0, 11.0, 10.0, 10.0]], device=DEVICE)
    true = x.var(correction=0).item()
    print(f"torch.var: {true:.4f}")
    for again in (False, True):
        found = variance(x, again).item()
        print(f"masked again {again}: {found:.4f}")
    # --8<-- [end:demo]
