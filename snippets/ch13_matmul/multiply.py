"""13.5.3: one function for all of it. What TMA cannot read is copied
to where it can."""

# /// capture
# [labels]
# "* error" = { kind = "bound", limit = 2e-3 }
# ///

import torch
import triton

from ch13_matmul.descriptors import fits_descriptor
from ch13_matmul.grouped import matmul_grouped
from ch13_matmul.naive import check_matrices
from ch13_matmul.persistent import launch_persistent

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SMALL = 2**34  # products that take less long than a launch by TMA


# --8<-- [start:align]
def empty_rows(rows, cols, like):
    """An empty matrix whose rows start at multiples of 16 bytes."""
    per_16 = 16 // like.element_size()
    width = triton.cdiv(cols, per_16) * per_16
    whole = torch.empty(
        rows, width, dtype=like.dtype, device=like.device
    )
    return whole[:, :cols]


def readable(x):
    """x, or a copy of it that TMA can read."""
    if fits_descriptor(x):
        return x
    return empty_rows(*x.shape, like=x).copy_(x)
# --8<-- [end:align]


# --8<-- [start:multiply]
def multiply(a, b, small=SMALL):
    """a @ b for float16 and bfloat16 matrices of any size."""
    check_matrices(a, b)
    (m, k), n = a.shape, b.shape[1]
    if m * n * k < max(small, 1):
        return matmul_grouped(a, b, (64, 64, 64), num_warps=4)
    if not fits_descriptor(b.T):  # by columns it can stay as it is
        b = readable(b)
    out = empty_rows(m, n, like=a)
    launch_persistent(readable(a), b, out)
    return out.contiguous()
# --8<-- [end:multiply]


if __name__ == "__main__":
    print("== 13.5.3 any size, through TMA ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    for m, n, k in ((64, 64, 64), (65, 67, 69)):
        a = torch.randn(m, k).half().to(DEVICE)
        b = torch.randn(k, n).half().to(DEVICE)
        exact = a.double() @ b.double()
        for name, left, right in (
            ("as they are", a, b),
            ("a by columns", a.T.contiguous().T, b),
            ("b by columns", a, b.T.contiguous().T),
        ):
            error = (multiply(left, right, small=0) - exact).abs()
            error = error.max() / exact.abs().max()
            size = f"{m} x {k} x {n}, {name}"
            print(f"{size}, a is copied:", readable(left) is not left)
            print(f"{size}, error: {error:.1e}")
    # --8<-- [end:demo]
