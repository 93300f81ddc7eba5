"""11.3: the smallest tl.dot, in numbers that a hand can check."""

import torch
import triton
import triton.language as tl

from ch11_hardware.matmul import DEVICE, check_operands


# --8<-- [start:kernel]
@triton.jit
def tile_dot_kernel(
    a_ptr,  # address of a, m x k, row by row
    b_ptr,  # address of b, k x n, row by row, of a's dtype
    c_ptr,  # address of c, m x n, row by row, of dtype ACC
    out_ptr,  # address of a @ b + c, likewise
    m,  # rows of a and out, at most M
    n,  # columns of b and out, at most N
    k,  # columns of a, rows of b, at most K
    M: tl.constexpr,  # rows of the block, a power of two
    N: tl.constexpr,  # columns of the block, a power of two
    K: tl.constexpr,  # terms of a sum, a power of two
    PRECISION: tl.constexpr,  # what tl.dot makes of float32
    ACC: tl.constexpr,  # dtype of the sums
):
    row, col = tl.arange(0, M)[:, None], tl.arange(0, N)[None, :]
    a_col, b_row = tl.arange(0, K)[None, :], tl.arange(0, K)[:, None]
    a_mask = (row < m) & (a_col < k)
    b_mask = (b_row < k) & (col < n)
    mask = (row < m) & (col < n)
    a = tl.load(a_ptr + row * k + a_col, mask=a_mask, other=0.0)
    b = tl.load(b_ptr + b_row * n + col, mask=b_mask, other=0.0)
    c = tl.load(c_ptr + row * n + col, mask=mask, other=0.0)
    sums = tl.dot(
        a, b, acc=c, input_precision=PRECISION, out_dtype=ACC
    )
    tl.store(out_ptr + row * n + col, sums, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def tile_dot(a, b, c=None, block=(16, 16, 16), precision="tf32"):
    """a @ b + c in one tl.dot. int8 sums in int32."""
    check_operands(a, b)
    (m, k), n = a.shape, b.shape[1]
    if m > block[0] or n > block[1] or k > block[2]:
        raise ValueError(f"{(m, n, k)} do not fit into {block}")
    whole = a.dtype == torch.int8
    dtype = torch.int32 if whole else torch.float32
    if c is None:
        c = torch.zeros(m, n, dtype=dtype, device=a.device)
    if c.dtype != dtype or c.shape != (m, n):
        raise ValueError(f"c must be {dtype} of {m} x {n}")
    b, c = b.contiguous(), c.contiguous()
    out = torch.empty_like(c)
    if out.numel() > 0:
        tile_dot_kernel[(1,)](
            a, b, c, out, m, n, k,
            M=block[0], N=block[1], K=block[2], PRECISION=precision,
            ACC=tl.int32 if whole else tl.float32,
        )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    # --8<-- [start:demo]
    print("== 11.3.1 sixteen by sixteen by sixteen ==")
    i = torch.arange(16)[:, None]
    j = torch.arange(16)[None, :]
    a = i + j  # a[i, k] = i + k
    b = i - j  # b[k, j] = k - j
    by_hand = 1240 + 120 * (i - j) - 16 * i * j
    for dtype in (torch.float16, torch.float32, torch.int8):
        block = (16, 16, 32 if dtype == torch.int8 else 16)
        left, right = a.to(DEVICE, dtype), b.to(DEVICE, dtype)
        product = tile_dot(left, right, block=block)
        name = str(dtype).removeprefix("torch.")
        print(f"{name}, row 0:", *product[0, :4].int().tolist())
        print(f"{name}, row 1:", *product[1, :4].int().tolist())
        print(f"{name}, by hand:", product.cpu().equal(
            by_hand.to(product.dtype)
        ))
    a, b = a.to(DEVICE).half(), b.to(DEVICE).half()
    twice = tile_dot(a, b, c=tile_dot(a, b))
    print("acc, row 1:", *twice[1, :4].int().tolist())
    # --8<-- [end:demo]
