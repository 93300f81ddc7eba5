"""7.4: the sum of a row, by order and by accumulator."""

# /// capture
# [labels]
# "* error" = { kind = "bound", limit = 4096 }
# "* sum" = { kind = "bound", limit = 2000 }
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
HOWS = ("plain", "kahan", "double")


# --8<-- [start:kernel]
@triton.jit
def row_sum_kernel(
    x_ptr,  # address of the input, rows of float32, contiguous
    out_ptr,  # address of one float32 a row
    cols,  # how many elements a row has
    HOW: tl.constexpr,  # "plain", "kahan" or "double"
    BLOCK: tl.constexpr,  # lanes, each with a sum of its own
):
    row = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    wide: tl.constexpr = HOW == "double"
    ACC: tl.constexpr = tl.float64 if wide else tl.float32
    total = tl.zeros((BLOCK,), ACC)
    lost = tl.zeros((BLOCK,), ACC)
    for start in range(0, cols, BLOCK):
        mask = start + lanes < cols
        x_ptrs = x_ptr + row * cols + start + lanes
        x = tl.load(x_ptrs, mask=mask, other=0.0)
        if HOW == "kahan":
            step = x - lost
            larger = total + step
            lost = (larger - total) - step
            total = larger
        else:
            total += x
    tl.store(out_ptr + row, tl.sum(total, axis=0))
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def row_sum(x, how="plain", block=128):
    """The sum of each row of x; float32, 2-D, contiguous."""
    if x.dtype != torch.float32:
        raise TypeError(f"x is {x.dtype}, wanted torch.float32")
    if how not in HOWS:
        raise ValueError(f"how is {how!r}, wanted one of {HOWS}")
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    if x.dim() != 2 or not x.is_contiguous():
        raise ValueError(
            f"x must be 2-D and contiguous: shape {tuple(x.shape)}, "
            f"strides {x.stride()}"
        )
    rows, cols = x.shape
    out = torch.empty(rows, device=x.device)
    if rows > 0:
        row_sum_kernel[(rows,)](x, out, cols, HOW=how, BLOCK=block)
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 7.4.2 one large number and 64 ones ==")
    # --8<-- [start:hand]
    large = torch.ones(1, 65, device=DEVICE)
    large[0, 0] = 2.0**24
    for title, row in (("large first", large),
                       ("large last", large.flip(1))):
        for how, block in (("plain", 1), ("plain", 16),
                           ("kahan", 1), ("double", 1)):
            out = row_sum(row, how, block).item()
            print(f"{title}, {how}, {block} lanes: {out:.0f}")
    print(f"exact: {2**24 + 64}")
    # --8<-- [end:hand]

    print("== 7.4.2 a random row ==")
    # --8<-- [start:random]
    torch.manual_seed(0)
    x = torch.rand(1, 2000)
    truth = x.double().sum().item()
    half_eps = torch.finfo(torch.float32).eps / 2
    for how, block in (("plain", 1), ("plain", 8), ("plain", 128),
                       ("plain", 1024), ("kahan", 1),
                       ("kahan", 128), ("double", 128)):
        out = row_sum(x.to(DEVICE), how, block).item()
        error = abs(out / truth - 1.0) / half_eps
        print(f"{how}, {block} lanes, sum: {out:.9g}")
        print(f"{how}, {block} lanes, error: {error:.2f}")
    print(f"exact: {truth:.9g}")
    # --8<-- [end:random]
