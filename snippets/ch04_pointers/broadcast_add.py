"""4.3.1: one kernel adds a row, a column or a number to a matrix; a
stride of 0 is the only difference."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def add2d_kernel(
    x_ptr,  # address of x[0, 0]
    b_ptr,  # address of b[0, 0]
    out_ptr,  # address of out[0, 0], contiguous
    M,  # rows
    N,  # columns
    stride_xm,  # elements from row to row of x
    stride_xn,  # elements from column to column of x
    stride_bm,  # the same two for b; 0 repeats
    stride_bn,
    BLOCK_M: tl.constexpr,  # rows per program
    BLOCK_N: tl.constexpr,  # columns per program
):
    pid_m = tl.program_id(0).to(tl.int64)
    pid_n = tl.program_id(1).to(tl.int64)
    rows = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    rows, cols = rows[:, None], cols[None, :]
    mask = (rows < M) & (cols < N)
    x = tl.load(x_ptr + rows * stride_xm + cols * stride_xn, mask=mask)
    b = tl.load(b_ptr + rows * stride_bm + cols * stride_bn, mask=mask)
    tl.store(out_ptr + rows * N + cols, x + b, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def broadcast_add(
    x: torch.Tensor,
    b: torch.Tensor,
    block_m: int = 4,
    block_n: int = 256,
) -> torch.Tensor:
    if x.ndim != 2:
        raise ValueError(f"x has {x.ndim} axes, wanted 2")
    for name, tensor in (("x", x), ("b", b)):
        if tensor.dtype != torch.float32:
            raise TypeError(
                f"{name} is {tensor.dtype}, wanted torch.float32"
            )
        if tensor.device.type != DEVICE:
            raise ValueError(
                f"{name} is on {tensor.device}, wanted {DEVICE}"
            )
    b = b.expand(x.shape)  # an error if the shapes do not fit
    M, N = x.shape
    out = torch.empty(M, N, device=x.device)
    if M == 0 or N == 0:
        return out
    grid = (triton.cdiv(M, block_m), triton.cdiv(N, block_n))
    add2d_kernel[grid](
        x,
        b,
        out,
        M,
        N,
        *x.stride(),
        *b.stride(),
        BLOCK_M=block_m,
        BLOCK_N=block_n,
    )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 4.3.1 a row, a column, a number ==")
    # --8<-- [start:demo]
    x = torch.arange(12.0, device=DEVICE).reshape(3, 4)
    for title, b in (
        ("row", torch.tensor([[10.0, 20.0, 30.0, 40.0]])),
        ("column", torch.tensor([[100.0], [200.0], [300.0]])),
        ("number", torch.tensor(0.5)),
    ):
        b = b.to(DEVICE)
        out = broadcast_add(x, b, block_m=2, block_n=4)
        view = b.expand(x.shape)
        print(f"{title}, strides: {view.stride()}")
        print(f"{title}, elements in memory: {b.numel()}")
        print(f"{title}, last row: {out[-1].tolist()}")
        print(f"{title}, equal to torch: {torch.equal(out, x + b)}")
    # --8<-- [end:demo]
    try:
        broadcast_add(x, x[:2])
    except RuntimeError as error:
        print(f"two rows: {type(error).__name__}")
