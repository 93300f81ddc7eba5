"""Trap of 15.3: three ways to a wrong variance, and a right one."""

# /// capture
# [labels]
# "offset * variance" = { kind = "bound", limit = 1e4 }
# "offset * error" = { kind = "bound", limit = 1e4 }
# ///

import torch
import triton
import triton.language as tl

from ch05_grids.padding import check_rows

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
FORMS = ("masked again", "not masked again", "by BLOCK", "of squares")


# --8<-- [start:kernel]
@triton.jit
def variance_forms_kernel(
    x_ptr,  # address of x[0, 0], float32, contiguous
    out_ptr,  # address of out[0]: one for each row
    cols,  # how many columns, at most BLOCK
    FORM: tl.constexpr,  # which of the four
    BLOCK: tl.constexpr,  # lanes, a power of two
):
    row = tl.program_id(0).to(tl.int64)
    col = tl.arange(0, BLOCK)
    real = col < cols
    x = tl.load(x_ptr + row * cols + col, mask=real, other=0.0)
    if FORM == "masked again":
        away = tl.where(real, x - tl.sum(x, axis=0) / cols, 0.0)
        variance = tl.sum(away * away, axis=0) / cols
    elif FORM == "not masked again":
        away = x - tl.sum(x, axis=0) / cols
        variance = tl.sum(away * away, axis=0) / cols
    elif FORM == "by BLOCK":
        away = tl.where(real, x - tl.sum(x, axis=0) / BLOCK, 0.0)
        variance = tl.sum(away * away, axis=0) / BLOCK
    else:
        tl.static_assert(FORM == "of squares", "no such form")
        mean = tl.sum(x, axis=0) / cols
        variance = tl.sum(x * x, axis=0) / cols - mean * mean
    tl.store(out_ptr + row, variance)
# --8<-- [end:kernel]


def variance_as(x, form):
    check_rows(x)
    rows, cols = x.shape
    out = torch.empty(rows, device=x.device)
    if rows:
        variance_forms_kernel[(rows,)](
            x, out, cols, FORM=form, BLOCK=triton.next_power_of_2(cols)
        )
    return out


if __name__ == "__main__":
    print("== trap of 15.3: five numbers in eight lanes ==")
    # --8<-- [start:padding]
    x = torch.tensor([[8.0, 9.0, 10.0, 11.0, 12.0]], device=DEVICE)
    print(f"torch: {x.var(1, correction=0).item():.4f}")
    for form in FORMS:
        print(f"{form}: {variance_as(x, form).item():.4f}")
    # --8<-- [end:padding]

    print("== trap of 15.3: no padding, a large mean ==")
    # --8<-- [start:squares]
    torch.manual_seed(0)
    noise = torch.randn(16, 1024).to(DEVICE)
    for offset in (0, 10, 100, 1000, 10000):
        x = noise + offset
        truth = x.double().var(1, correction=0)
        for form in ("masked again", "of squares"):
            found = variance_as(x, form)
            worst = (found - truth).abs().max().item()
            print(f"offset {offset} {form} error: {worst:.1e}")
    print(f"offset 10000 smallest variance: {found.min().item():.2f}")
    # --8<-- [end:squares]
