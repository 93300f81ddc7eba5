"""13.1.1: one program, one element of a @ b: a row of a, a column of
b, and nothing that anybody else could use."""

# /// capture
# [labels]
# "* error" = { kind = "bound", limit = 2e-3 }
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DOT_DTYPES = (torch.float16, torch.bfloat16)


# --8<-- [start:kernel]
@triton.jit
def element_kernel(
    a_ptr,  # address of a, M x K
    b_ptr,  # address of b, K x N, of a's dtype
    out_ptr,  # address of a @ b, M x N, row by row
    N,  # columns of b and out
    K,  # columns of a, rows of b
    a_row,  # elements from a row of a to the next
    a_col,  # elements from a column of a to the next
    b_row,  # elements from a row of b to the next
    b_col,  # elements from a column of b to the next
    BLOCK_K: tl.constexpr,  # how many products a step adds
):
    pid = tl.program_id(0).to(tl.int64)
    i, j = pid // N, pid % N
    total = 0.0
    for start in range(0, K, BLOCK_K):
        k = start + tl.arange(0, BLOCK_K).to(tl.int64)
        a = tl.load(
            a_ptr + i * a_row + k * a_col, mask=k < K, other=0.0
        )
        b = tl.load(
            b_ptr + k * b_row + j * b_col, mask=k < K, other=0.0
        )
        total += tl.sum(a.to(tl.float32) * b.to(tl.float32))
    tl.store(out_ptr + pid, total.to(out_ptr.dtype.element_ty))
# --8<-- [end:kernel]


# --8<-- [start:check]
def check_matrices(a: torch.Tensor, b: torch.Tensor) -> None:
    """Raise unless the kernels of this chapter can multiply them."""
    if a.dim() != 2 or b.dim() != 2 or a.shape[1] != b.shape[0]:
        shapes = f"{tuple(a.shape)} by {tuple(b.shape)}"
        raise ValueError(f"cannot multiply {shapes}")
    if a.dtype != b.dtype or a.dtype not in DOT_DTYPES:
        raise TypeError(
            f"need one dtype of {DOT_DTYPES}, got {a.dtype}, "
            f"{b.dtype}"
        )
    if a.device.type != DEVICE or b.device.type != DEVICE:
        raise ValueError(
            f"need device {DEVICE}, got {a.device}, {b.device}"
        )
    for x in (a, b):  # 128 rows or columns must fit 32 bits
        if max(*x.shape, *x.stride()) >= 2**24:
            raise ValueError(
                f"need sizes and strides below {2**24}: shape "
                f"{tuple(x.shape)}, strides {x.stride()}"
            )
# --8<-- [end:check]


# --8<-- [start:wrapper]
def matmul_elements(a, b, block_k=32):
    """a @ b, a program for each element."""
    check_matrices(a, b)
    (m, k), n = a.shape, b.shape[1]
    if m * n >= 2**31:
        raise ValueError(f"{m * n} programs are too many to launch")
    out = torch.empty(m, n, dtype=a.dtype, device=a.device)
    if out.numel() > 0:
        element_kernel[(m * n,)](
            a, b, out, n, k, *a.stride(), *b.stride(),
            BLOCK_K=block_k,
        )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 13.1.1 one program, one element ==")
    # --8<-- [start:demo]
    a = torch.arange(6, device=DEVICE).reshape(2, 3).half()
    b = torch.arange(12, device=DEVICE).reshape(3, 4).half()
    out = matmul_elements(a, b, block_k=2)
    for i, row in enumerate(out.tolist()):
        print(f"row {i}:", row)
    exact = (a.float() @ b.float()).half()
    print("as torch:", torch.equal(out, exact))
    torch.manual_seed(0)
    a = torch.randn(5, 70).half().to(DEVICE)
    b = torch.randn(70, 7).half().to(DEVICE)
    by_columns = a.T.contiguous().T
    for name, left in (("by rows", a), ("by columns", by_columns)):
        exact = left.double() @ b.double()
        error = (matmul_elements(left, b) - exact).abs().max()
        print(f"a {name}, error: {error / exact.abs().max():.1e}")
    # --8<-- [end:demo]
