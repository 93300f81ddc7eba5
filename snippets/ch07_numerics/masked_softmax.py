"""7.6: softmax of a row in which everything is masked."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def masked_softmax_kernel(
    x_ptr,  # address of the input, rows of float32, contiguous
    out_ptr,  # address of the output, like the input
    cols,  # how many elements a row has, at most BLOCK
    GUARD_MAX: tl.constexpr,  # an infinite maximum counts as 0
    GUARD_SUM: tl.constexpr,  # a sum of 0 counts as 1
    BLOCK: tl.constexpr,  # lanes, a power of two
):
    row = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    mask = lanes < cols
    ptrs = x_ptr + row * cols + lanes
    x = tl.load(ptrs, mask=mask, other=float("-inf"))
    largest = tl.max(x, axis=0)
    if GUARD_MAX:
        largest = tl.where(largest == float("-inf"), 0.0, largest)
    e = tl.exp(x - largest)
    total = tl.sum(e, axis=0)
    if GUARD_SUM:
        total = tl.where(total == 0.0, 1.0, total)
    tl.store(out_ptr + row * cols + lanes, e / total, mask=mask)
# --8<-- [end:kernel]


def masked_softmax(x, guard_max=True, guard_sum=True):
    """Softmax of each row; zeros where a row is all -inf."""
    if x.dtype != torch.float32:
        raise TypeError(f"x is {x.dtype}, wanted torch.float32")
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    if x.dim() != 2 or not x.is_contiguous():
        raise ValueError(
            f"x must be 2-D and contiguous: shape {tuple(x.shape)}, "
            f"strides {x.stride()}"
        )
    rows, cols = x.shape
    out = torch.empty_like(x)
    if x.numel() == 0:
        return out
    masked_softmax_kernel[(rows,)](
        x, out, cols, GUARD_MAX=guard_max, GUARD_SUM=guard_sum,
        BLOCK=triton.next_power_of_2(cols),
    )
    return out


if __name__ == "__main__":
    # --8<-- [start:demo]
    inf = float("inf")
    x = torch.tensor([
        [0.0, 0.0, -inf, -inf],
        [-inf, -inf, -inf, -inf],
        [inf, 0.0, 0.0, 0.0],
    ], device=DEVICE)
    titles = ["half masked", "all masked", "one inf"]
    for guards in ((False, False), (True, False), (True, True)):
        print(f"== guards: maximum {guards[0]}, sum {guards[1]} ==")
        for title, row in zip(titles, masked_softmax(x, *guards)):
            print(f"{title}: {[round(v, 4) for v in row.tolist()]}")
    print("== torch.softmax ==")
    for title, row in zip(titles, torch.softmax(x, 1)):
        print(f"{title}: {[round(v, 4) for v in row.tolist()]}")
    # --8<-- [end:demo]
