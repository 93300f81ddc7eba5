"""13.5.1: the same product with tensor descriptors: no addresses, no
masks, and a contract."""

# /// capture
# [labels]
# "* error" = { kind = "bound", limit = 2e-3 }
# ///

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from ch13_matmul.grouped import tile_at
from ch13_matmul.naive import check_matrices

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:product]
@triton.jit
def descriptor_product(
    a_desc,  # descriptor of a, in blocks of BLOCK_M x BLOCK_K
    b_desc,  # of b, BLOCK_K x BLOCK_N, or, by columns, of b.T
    row,  # the tile's first row
    col,  # the tile's first column
    K,  # columns of a, rows of b
    BLOCK_M: tl.constexpr,  # rows of the tile
    BLOCK_N: tl.constexpr,  # columns of the tile
    BLOCK_K: tl.constexpr,  # how many terms a step takes
    B_COLS: tl.constexpr,  # whether b lies column by column
):
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, K, BLOCK_K):
        a = a_desc.load([row, k])
        if B_COLS:
            b = b_desc.load([col, k]).T
        else:
            b = b_desc.load([k, col])
        acc = tl.dot(a, b, acc)
    return acc
# --8<-- [end:product]


# --8<-- [start:kernel]
@triton.jit
def descriptor_kernel(
    a_desc,  # descriptor of a, in blocks of BLOCK_M x BLOCK_K
    b_desc,  # of b, BLOCK_K x BLOCK_N, or, by columns, of b.T
    out_desc,  # descriptor of a @ b, BLOCK_M x BLOCK_N
    M,  # rows of a and out
    N,  # columns of b and out
    K,  # columns of a, rows of b
    BLOCK_M: tl.constexpr,  # rows of a tile of out
    BLOCK_N: tl.constexpr,  # columns of a tile of out
    BLOCK_K: tl.constexpr,  # how many terms a step takes
    GROUP: tl.constexpr,  # how many rows of tiles make a group
    B_COLS: tl.constexpr,  # whether b lies column by column
):
    tiles_m = tl.cdiv(M, BLOCK_M)
    tiles_n = tl.cdiv(N, BLOCK_N)
    i, j = tile_at(tl.program_id(0), tiles_m, tiles_n, GROUP)
    row, col = i * BLOCK_M, j * BLOCK_N
    acc = descriptor_product(
        a_desc, b_desc, row, col, K, BLOCK_M, BLOCK_N, BLOCK_K, B_COLS
    )
    out_desc.store([row, col], acc.to(out_desc.dtype))
# --8<-- [end:kernel]


# --8<-- [start:fits]
def fits_descriptor(x: torch.Tensor) -> bool:
    """Whether TMA can read x, a matrix, row by row."""
    return (
        x.numel() > 0
        and x.stride(1) == 1
        and x.stride(0) * x.element_size() % 16 == 0
        and x.data_ptr() % 16 == 0
    )


def describe(a, b, out, tile, out_cols):
    """Descriptors of a, b and out, and whether b is by columns."""
    for name, x, ok in (
        ("a", a, fits_descriptor(a)),
        ("b", b, fits_descriptor(b) or fits_descriptor(b.T)),
        ("out", out, fits_descriptor(out)),
    ):
        if not ok:
            raise ValueError(
                f"no descriptor for {name}: shape {tuple(x.shape)}, "
                f"strides {x.stride()}, {x.element_size()} bytes an "
                "element; rows (of b: or columns) must start at "
                "multiples of 16 bytes"
            )
    rows, cols, terms = tile
    b_cols = not fits_descriptor(b)
    if b_cols:
        b, b_block = b.T, [cols, terms]
    else:
        b_block = [terms, cols]
    make = TensorDescriptor.from_tensor
    descriptors = (
        make(a, [rows, terms]),
        make(b, b_block),
        make(out, [rows, out_cols]),
    )
    return descriptors, b_cols
# --8<-- [end:fits]


# --8<-- [start:wrapper]
def matmul_descriptors(a, b, tile=(128, 256, 64), group=8, **options):
    """a @ b, where TMA can read a and b, and write the product."""
    check_matrices(a, b)
    (m, k), n = a.shape, b.shape[1]
    out = torch.empty(m, n, dtype=a.dtype, device=a.device)
    if out.numel() == 0:
        return out
    if k == 0:
        return out.zero_()
    descriptors, b_cols = describe(a, b, out, tile, tile[1])
    options = {"num_warps": 8, "num_stages": 4} | options
    grid = (triton.cdiv(m, tile[0]) * triton.cdiv(n, tile[1]),)
    descriptor_kernel[grid](
        *descriptors, m, n, k,
        BLOCK_M=tile[0], BLOCK_N=tile[1], BLOCK_K=tile[2],
        GROUP=group, B_COLS=b_cols, **options,
    )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 13.5.1 the product with descriptors ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    tile = (64, 32, 16)
    a = torch.randn(70, 48).half().to(DEVICE)
    b = torch.randn(48, 88).half().to(DEVICE)
    exact = a.double() @ b.double()
    for name, right in (
        ("b by rows", b),
        ("b by columns", b.T.contiguous().T),
    ):
        out = matmul_descriptors(a, right, tile)
        error = (out - exact).abs().max() / exact.abs().max()
        print(f"{name}, error: {error:.1e}")
    # --8<-- [end:demo]
