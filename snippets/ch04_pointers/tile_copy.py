"""4.2.1: a block of pointers, from a column of rows and a row of
columns, and the 2-D copy that is made of it."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:offsets]
@triton.jit
def offsets_kernel(
    out_ptr,  # address of BLOCK_M x BLOCK_N results, int64
    stride_m,  # elements from one row to the next
    stride_n,  # elements from one column to the next
    BLOCK_M: tl.constexpr,  # rows of the block
    BLOCK_N: tl.constexpr,  # columns of the block
):
    rows = tl.arange(0, BLOCK_M)
    cols = tl.arange(0, BLOCK_N)
    offsets = rows[:, None] * stride_m + cols[None, :] * stride_n
    place = rows[:, None] * BLOCK_N + cols[None, :]
    tl.store(out_ptr + place, offsets)
# --8<-- [end:offsets]


# --8<-- [start:kernel]
@triton.jit
def copy_tile_kernel(
    x_ptr,  # address of x[0, 0]
    out_ptr,  # address of out[0, 0]
    M,  # rows of both
    N,  # columns of both
    stride_xm,  # elements from x[i, j] to x[i + 1, j]
    stride_xn,  # elements from x[i, j] to x[i, j + 1]
    stride_om,  # the same two for out
    stride_on,
    BLOCK_M: tl.constexpr,  # rows per program
    BLOCK_N: tl.constexpr,  # columns per program
):
    pid_m = tl.program_id(0).to(tl.int64)
    pid_n = tl.program_id(1).to(tl.int64)
    rows = pid_m * BLOCK_M + tl.arange(0, BLOCK_M)
    cols = pid_n * BLOCK_N + tl.arange(0, BLOCK_N)
    rows, cols = rows[:, None], cols[None, :]
    mask = (rows < M) & (cols < N)
    source = x_ptr + rows * stride_xm + cols * stride_xn
    target = out_ptr + rows * stride_om + cols * stride_on
    tile = tl.load(source, mask=mask)
    tl.store(target, tile, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def copy2d(
    x: torch.Tensor,
    out: torch.Tensor,
    block_m: int = 16,
    block_n: int = 64,
) -> torch.Tensor:
    if x.ndim != 2 or x.shape != out.shape:
        raise ValueError(
            f"x has shape {tuple(x.shape)}, out {tuple(out.shape)}; "
            "wanted one shape of two axes"
        )
    if x.dtype != out.dtype:
        raise TypeError(f"x is {x.dtype}, out is {out.dtype}")
    for name, tensor in (("x", x), ("out", out)):
        if tensor.device.type != DEVICE:
            raise ValueError(
                f"{name} is on {tensor.device}, wanted {DEVICE}"
            )
    M, N = x.shape
    if M == 0 or N == 0:
        return out
    for size, stride in zip(out.shape, out.stride()):
        if size > 1 and stride == 0:
            raise ValueError(
                f"out has strides {out.stride()}: a stride of 0 would "
                f"write {size} values to one element"
            )
    grid = (triton.cdiv(M, block_m), triton.cdiv(N, block_n))
    copy_tile_kernel[grid](
        x,
        out,
        M,
        N,
        *x.stride(),
        *out.stride(),
        BLOCK_M=block_m,
        BLOCK_N=block_n,
    )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 4.2.1 a block of offsets ==")
    # --8<-- [start:demo]
    places = torch.empty(2, 4, dtype=torch.int64, device=DEVICE)
    for title, strides in (
        ("rows of 8", (8, 1)),
        ("transposed", (1, 8)),
        ("every other column", (8, 2)),
    ):
        offsets_kernel[(1,)](places, *strides, BLOCK_M=2, BLOCK_N=4)
        print(f"{title}: {places.tolist()}")
    # --8<-- [end:demo]

    print("== 4.2.1 one kernel, four arrangements ==")
    # --8<-- [start:copies]
    table = torch.arange(48.0, device=DEVICE).reshape(6, 8)
    for title, x in (
        ("window", table[1:4, 2:7]),
        ("transposed", table[1:4, 2:7].T),
        ("every other column", table[:3, ::2]),
        ("whole", table),
    ):
        out = torch.empty(x.shape, device=DEVICE)
        copy2d(x, out, block_m=2, block_n=4)
        print(f"{title}, strides: {x.stride()}")
        print(f"{title}, equal: {torch.equal(out, x)}")
    # --8<-- [end:copies]
