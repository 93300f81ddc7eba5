"""7.5: a dot product a row, a derived tolerance, and what others
let through."""

# /// capture
# [labels]
# "worst over budget, *" = { kind = "bound", limit = 1e4 }
# "largest error, *" = { kind = "bound", limit = 10 }
# "rows failed, *" = { kind = "bound", limit = 64 }
# ///

import torch
import triton
import triton.language as tl

from ch07_numerics.tolerance import budget, worst_over_budget

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS, COLS, BLOCK = 64, 1000, 128


# --8<-- [start:kernel]
@triton.jit
def dot_rows_kernel(
    x_ptr,  # address of the matrix, rows of float16, contiguous
    w_ptr,  # address of the weights, cols float16
    out_ptr,  # address of one float32 a row
    cols,  # how many elements a row has
    ACC: tl.constexpr,  # the type of products and sums
    BLOCK: tl.constexpr,  # lanes, a power of two
):
    row = tl.program_id(0).to(tl.int64)
    lanes = tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK,), ACC)
    for start in range(0, cols, BLOCK):
        offsets = start + lanes
        mask = offsets < cols
        x_ptrs = x_ptr + row * cols + offsets
        x = tl.load(x_ptrs, mask=mask, other=0.0).to(ACC)
        w = tl.load(w_ptr + offsets, mask=mask, other=0.0).to(ACC)
        total += x * w
    tl.store(out_ptr + row, tl.sum(total, axis=0))


def dot_rows(x, w, acc=tl.float32, block=BLOCK):
    """The dot product of each row of x with w, in float32."""
    for name, tensor in (("x", x), ("w", w)):
        if tensor.dtype != torch.float16:
            raise TypeError(
                f"{name} is {tensor.dtype}, wanted torch.float16"
            )
        if tensor.device.type != DEVICE:
            raise ValueError(
                f"{name} is on {tensor.device}, wanted {DEVICE}"
            )
        if not tensor.is_contiguous():
            raise ValueError(
                f"{name} must be contiguous: shape "
                f"{tuple(tensor.shape)}, strides {tensor.stride()}"
            )
    if x.dim() != 2 or w.shape != x.shape[1:]:
        raise ValueError(
            f"x is {tuple(x.shape)}, w is {tuple(w.shape)}"
        )
    rows, cols = x.shape
    out = torch.empty(rows, device=x.device)
    if rows > 0:
        dot_rows_kernel[(rows,)](
            x, w, out, cols, ACC=acc, BLOCK=block
        )
    return out
# --8<-- [end:kernel]


# --8<-- [start:count]
def dot_roundings(cols, block):
    """Half-eps roundings on the longest path of dot_rows."""
    products = 1
    in_a_lane = triton.cdiv(cols, block)
    across_lanes = (block - 1).bit_length()
    return products + in_a_lane + across_lanes


def dot_truth(x, w):
    """The dot products and their scales, in float64 on the CPU."""
    x, w = x.cpu().double(), w.cpu().double()
    return x @ w, x.abs() @ w.abs()
# --8<-- [end:count]


if __name__ == "__main__":
    print("== 7.5.1 three kernels, three tolerances ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    x, w = torch.randn(ROWS, COLS), torch.randn(COLS)
    clipped = x.clone()
    clipped[:, -1] = 0.0  # what a kernel with a wrong mask reads
    x16, w16, clipped16 = (
        t.half().to(DEVICE) for t in (x, w, clipped)
    )
    truth, scale = dot_truth(x16, w16)
    k = dot_roundings(COLS, BLOCK)
    print(f"roundings counted: {k}")
    outs = {
        "right": dot_rows(x16, w16),
        "float16 sums": dot_rows(x16, w16, acc=tl.float16),
        "last column lost": dot_rows(clipped16, w16),
    }
    for name, out in outs.items():
        error = (out.cpu().double() - truth).abs()
        tight = 1e-8 + 1e-5 * truth.abs()  # allclose's defaults
        loose = 1e-1 + 1e-2 * truth.abs()
        ours = budget(truth, k, scale)
        print(f"largest error, {name}: {error.max().item():.1e}")
        for test, allowed in (("defaults", tight), ("loose", loose),
                              ("budget", ours)):
            failed = (error > allowed).sum().item()
            print(f"rows failed, {name}, {test}: {failed}")
        ratio = worst_over_budget(out, truth, k, scale)
        print(f"worst over budget, {name}: {ratio:.2g}")
    # --8<-- [end:demo]

    print("== 7.5.1 an oracle of other inputs ==")
    # --8<-- [start:other]
    other, _ = dot_truth(x, w)  # before they were rounded to float16
    ratio = worst_over_budget(outs["right"], other, k, scale)
    print(f"worst over budget, unrounded oracle: {ratio:.2g}")
    # --8<-- [end:other]
