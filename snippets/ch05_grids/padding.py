"""5.2.2: each reduction wants padding of its own."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
INF = float("inf")


# --8<-- [start:kernel]
@triton.jit
def reductions_kernel(
    x_ptr,  # address of x[0, 0], float32, rows of cols elements
    out_ptr,  # address of out[0, 0]: sum, max, min of each row
    cols,  # how many columns x has
    pad,  # what a masked lane holds, a float
    BLOCK: tl.constexpr,  # lanes of one program, at least cols
):
    row = tl.program_id(0).to(tl.int64)
    j = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * cols + j, mask=j < cols, other=pad)
    tl.store(out_ptr + row * 3 + 0, tl.sum(x, axis=0))
    tl.store(out_ptr + row * 3 + 1, tl.max(x, axis=0))
    tl.store(out_ptr + row * 3 + 2, tl.min(x, axis=0))
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def check_rows(x: torch.Tensor) -> None:
    if x.dtype != torch.float32:
        raise TypeError(f"x is {x.dtype}, wanted torch.float32")
    if x.ndim != 2 or not x.is_contiguous():
        raise ValueError(
            f"x must be a contiguous matrix: shape "
            f"{tuple(x.shape)}, strides {x.stride()}"
        )
    if x.shape[1] == 0:
        raise ValueError(f"x has no columns: {tuple(x.shape)}")


def reductions(x: torch.Tensor, pad: float) -> torch.Tensor:
    """Sum, maximum and minimum of each row, padded with pad."""
    check_rows(x)
    rows, cols = x.shape
    out = torch.empty(rows, 3, device=x.device)
    block = triton.next_power_of_2(cols)
    reductions_kernel[(rows,)](x, out, cols, float(pad), BLOCK=block)
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 5.2.2 three reductions, three paddings ==")
    # --8<-- [start:demo]
    x = torch.tensor([[-3.0, -1.0, -2.0, -5.0, -4.0]], device=DEVICE)
    print(f"true sum: {x.sum().item()}")
    print(f"true max: {x.max().item()}")
    print(f"true min: {x.min().item()}")
    for pad in (0.0, -INF, INF):
        total, largest, smallest = reductions(x, pad)[0].tolist()
        print(f"pad {pad}, sum: {total}")
        print(f"pad {pad}, max: {largest}")
        print(f"pad {pad}, min: {smallest}")
    # --8<-- [end:demo]
