"""One program, one tile of a @ b: the kernel that this chapter
compiles, breaks and times. Chapter 13 makes it fast."""

# /// capture
# [labels]
# "* error" = { kind = "bound", limit = 1e-2 }
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def matmul_kernel(
    a_ptr,  # address of a, M x K, row by row
    b_ptr,  # address of b, K x N, of a's dtype
    out_ptr,  # address of a @ b, M x N, row by row
    M,  # rows of a and out
    N,  # columns of b and out
    K,  # columns of a, rows of b
    b_row,  # elements from a row of b to the next
    b_col,  # elements from a column of b to the next
    BLOCK_M: tl.constexpr,  # rows of a tile of out
    BLOCK_N: tl.constexpr,  # columns of a tile of out
    BLOCK_K: tl.constexpr,  # columns of a that a step takes
    PRECISION: tl.constexpr,  # what tl.dot makes of float32
    ACC: tl.constexpr,  # dtype of the sums
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    k_cols = tl.arange(0, BLOCK_K)[None, :]
    k_rows = tl.arange(0, BLOCK_K)[:, None]
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=ACC)
    for k in range(0, K, BLOCK_K):
        a = tl.load(
            a_ptr + rows * K + k + k_cols,
            mask=(rows < M) & (k + k_cols < K),
            other=0.0,
        )
        b = tl.load(
            b_ptr + (k + k_rows) * b_row + cols * b_col,
            mask=(k + k_rows < K) & (cols < N),
            other=0.0,
        )
        acc = tl.dot(
            a, b, acc=acc, input_precision=PRECISION, out_dtype=ACC
        )
    tl.store(
        out_ptr + rows * N + cols,
        acc.to(out_ptr.dtype.element_ty),
        mask=(rows < M) & (cols < N),
    )
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
DTYPES = (torch.float16, torch.bfloat16, torch.float32, torch.int8)


def check_operands(a: torch.Tensor, b: torch.Tensor) -> None:
    """Raise unless the kernels of this chapter can multiply them."""
    if a.dim() != 2 or b.dim() != 2 or a.shape[1] != b.shape[0]:
        shapes = f"{tuple(a.shape)} by {tuple(b.shape)}"
        raise ValueError(f"cannot multiply {shapes}")
    if a.dtype != b.dtype or a.dtype not in DTYPES:
        raise TypeError(
            f"need one dtype of {DTYPES}, got {a.dtype}, {b.dtype}"
        )
    if a.device.type != DEVICE or b.device.type != DEVICE:
        raise ValueError(
            f"need device {DEVICE}, got {a.device}, {b.device}"
        )
    if not a.is_contiguous():
        raise ValueError(f"a must be contiguous: {a.stride()}")
    if not (b.is_contiguous() or b.T.is_contiguous()):
        raise ValueError(f"b or b.T must be contiguous: {b.stride()}")
    for size in (a.numel(), b.numel(), a.shape[0] * b.shape[1]):
        if size > 2**30:  # offsets are 32-bit integers
            raise ValueError(f"need n <= {2**30}, got {size}")


def matmul(a, b, tile=(64, 64, 32), precision="tf32", **options):
    """a @ b, and what the launch returned. int8 sums in int32."""
    check_operands(a, b)
    (m, k), n = a.shape, b.shape[1]
    whole = a.dtype == torch.int8
    out_dtype = torch.int32 if whole else a.dtype
    out = torch.empty(m, n, dtype=out_dtype, device=a.device)
    if out.numel() == 0:
        return out, None
    grid = (triton.cdiv(m, tile[0]), triton.cdiv(n, tile[1]))
    kernel = matmul_kernel[grid](
        a, b, out, m, n, k, b.stride(0), b.stride(1),
        BLOCK_M=tile[0], BLOCK_N=tile[1], BLOCK_K=tile[2],
        PRECISION=precision,
        ACC=tl.int32 if whole else tl.float32,
        **options,
    )
    return out, kernel
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 11.2.1 a tile for each program ==")
    torch.manual_seed(0)
    a = torch.randn(70, 50, device=DEVICE)
    b = torch.randn(50, 90, device=DEVICE)
    exact = a.double() @ b.double()
    for name, right in [("row", b), ("column", b.T.contiguous().T)]:
        out = matmul(a, right)[0]
        error = (out - exact).abs().max() / exact.abs().max()
        print(f"b {name} by {name}, shape:", tuple(out.shape))
        print(f"b {name} by {name}, error: {error:.1e}")
