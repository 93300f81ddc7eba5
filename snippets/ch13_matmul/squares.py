"""13.1: a kernel that confuses two strides, and the test that only
knows squares."""

import torch
import triton
import triton.language as tl

from ch13_matmul.naive import matmul_elements

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def confused_kernel(
    a_ptr,  # address of a, M x K, row by row
    b_ptr,  # address of b, K x N, row by row
    out_ptr,  # address of a @ b, M x N, row by row
    N,  # columns of b and out
    K,  # columns of a, rows of b
    BLOCK_K: tl.constexpr,  # at least K
):
    pid = tl.program_id(0)
    i, j = pid // N, pid % N
    k = tl.arange(0, BLOCK_K)
    a = tl.load(a_ptr + i * K + k, mask=k < K, other=0.0)
    b = tl.load(b_ptr + k * K + j, mask=k < K, other=0.0)
    total = tl.sum(a.to(tl.float32) * b.to(tl.float32))
    tl.store(out_ptr + pid, total.to(out_ptr.dtype.element_ty))


def confused(a, b):
    (m, k), n = a.shape, b.shape[1]
    out = torch.empty(m, n, dtype=a.dtype, device=a.device)
    block = triton.next_power_of_2(k)
    confused_kernel[(m * n,)](a, b, out, n, k, BLOCK_K=block)
    return out
# --8<-- [end:kernel]


# --8<-- [start:demo]
print("== a test that only knows squares ==")
for m, n, k in ((4, 4, 4), (8, 8, 8), (2, 3, 4), (4, 5, 3), (3, 4, 4)):
    a = torch.arange(m * k, device=DEVICE).reshape(m, k).half()
    b = torch.arange(k * n, device=DEVICE).reshape(k, n).half()
    whole = torch.zeros(64, dtype=a.dtype, device=DEVICE)
    whole[: k * n] = b.flatten()  # whatever is read exists
    b = whole[: k * n].view(k, n)
    right = torch.equal(confused(a, b), matmul_elements(a, b))
    print(f"{m} x {k} times {k} x {n}, right: {right}")
# --8<-- [end:demo]
