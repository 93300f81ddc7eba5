"""15.2: the running pair, turn by turn, and the turn without a
score."""

import torch
import triton
import triton.language as tl

from ch15_softmax.softmax import NO_SCORE

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 2


# --8<-- [start:kernel]
@triton.jit
def online_pair_kernel(
    x_ptr,  # address of x[0], one row of float32
    out_ptr,  # out[t] = maximum and sum after turn t
    cols,  # how many elements the row has
    GUARD: tl.constexpr,  # subtract 0 while there is no score
    BLOCK: tl.constexpr,  # elements of a turn
):
    largest = NO_SCORE
    total = 0.0
    for turn in range(tl.cdiv(cols, BLOCK)):
        col = turn * BLOCK + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + col, mask=col < cols, other=NO_SCORE)
        new = tl.maximum(largest, tl.max(x, axis=0))
        base = new
        if GUARD:
            base = tl.where(new == NO_SCORE, 0.0, new)
        total *= tl.exp(largest - base)
        total += tl.sum(tl.exp(x - base), axis=0)
        largest = new
        tl.store(out_ptr + turn * 2, largest)
        tl.store(out_ptr + turn * 2 + 1, total)
# --8<-- [end:kernel]


def online_pairs(x, guard=True):
    """The pair after each turn, for one row."""
    if x.dim() != 1 or x.dtype != torch.float32:
        raise ValueError(f"wanted a float32 row: {tuple(x.shape)}")
    x = x.contiguous()
    turns = triton.cdiv(x.numel(), BLOCK)
    out = torch.empty(turns, 2, device=x.device)
    if turns:
        online_pair_kernel[(1,)](
            x, out, x.numel(), GUARD=guard, BLOCK=BLOCK
        )
    return out


def show(x, guard=True):
    for turn, (largest, total) in enumerate(online_pairs(x, guard)):
        shown = f"{largest.exp().item():.4f}, {total.item():.4f}"
        print(f"turn {turn} exp(maximum), sum: {shown}")


if __name__ == "__main__":
    print("== 15.2 the pair, turn by turn ==")
    # --8<-- [start:demo]
    x = torch.tensor([2.0, 6.0, 3.0, 1.0, 12.0]).log().to(DEVICE)
    show(x)
    # --8<-- [end:demo]
    # --8<-- [start:trap]
    inf = float("inf")
    x = torch.cat([torch.tensor([-inf, -inf], device=DEVICE), x])
    print("== trap of 15.2: no guard ==")
    show(x, guard=False)
    print("== trap of 15.2: with the guard ==")
    show(x, guard=True)
    # --8<-- [end:trap]
