"""4.5.1: the 2-D copy with tensor descriptors, made on the host and
made in the kernel, held against the copy with pointers."""

# /// capture
# ptx = ["copy_host_kernel(BLOCK_M=64, BLOCK_N=64)"]
# ///

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from ch04_pointers.tile_copy import copy2d

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:check]
def check_copy(x, out):
    if x.ndim != 2 or x.shape != out.shape or x.dtype != out.dtype:
        raise ValueError(
            f"x is {tuple(x.shape)} of {x.dtype}, "
            f"out {tuple(out.shape)} of {out.dtype}"
        )
    for name, tensor in (("x", x), ("out", out)):
        if tensor.device.type != DEVICE:
            raise ValueError(
                f"{name} is on {tensor.device}, wanted {DEVICE}"
            )
    if out.shape[0] > 1 and out.stride(0) == 0:
        raise ValueError(f"out has strides {out.stride()}")
    size = out.shape[1] * out.element_size()
    if size % 16:
        raise ValueError(
            f"out has rows of {size} bytes; a store by descriptor "
            "writes whole multiples of 16"
        )
# --8<-- [end:check]


# --8<-- [start:host]
@triton.jit
def copy_host_kernel(
    x_desc,  # descriptor of x, of blocks BLOCK_M x BLOCK_N
    out_desc,  # descriptor of out, of the same blocks
    BLOCK_M: tl.constexpr,  # rows per program
    BLOCK_N: tl.constexpr,  # columns per program
):
    row = tl.program_id(0) * BLOCK_M
    col = tl.program_id(1) * BLOCK_N
    out_desc.store([row, col], x_desc.load([row, col]))


def copy_by_host_descriptor(x, out, block_m, block_n):
    check_copy(x, out)
    M, N = x.shape
    block = [block_m, block_n]
    grid = (triton.cdiv(M, block_m), triton.cdiv(N, block_n))
    copy_host_kernel[grid](
        TensorDescriptor.from_tensor(x, block),
        TensorDescriptor.from_tensor(out, block),
        BLOCK_M=block_m,
        BLOCK_N=block_n,
    )
# --8<-- [end:host]


# --8<-- [start:made]
@triton.jit
def copy_made_kernel(
    x_ptr,  # address of x[0, 0], divisible by 16
    out_ptr,  # address of out[0, 0], likewise
    M,  # rows of both
    N,  # columns of both
    stride_xm,  # elements from row to row of x, 16 bytes or a multiple
    stride_om,  # the same for out; the other strides are 1
    BLOCK_M: tl.constexpr,  # rows per program
    BLOCK_N: tl.constexpr,  # columns per program
):
    x_desc = tl.make_tensor_descriptor(
        x_ptr, [M, N], [stride_xm, 1], [BLOCK_M, BLOCK_N]
    )
    out_desc = tl.make_tensor_descriptor(
        out_ptr, [M, N], [stride_om, 1], [BLOCK_M, BLOCK_N]
    )
    row = tl.program_id(0) * BLOCK_M
    col = tl.program_id(1) * BLOCK_N
    out_desc.store([row, col], x_desc.load([row, col]))


def copy_by_made_descriptor(x, out, block_m, block_n):
    check_copy(x, out)
    TensorDescriptor.from_tensor(x, [block_m, block_n])  # its checks
    TensorDescriptor.from_tensor(out, [block_m, block_n])
    triton.set_allocator(
        lambda size, align, stream: torch.empty(
            size, dtype=torch.int8, device=DEVICE
        )
    )
    M, N = x.shape
    grid = (triton.cdiv(M, block_m), triton.cdiv(N, block_n))
    copy_made_kernel[grid](
        x,
        out,
        M,
        N,
        x.stride(0),
        out.stride(0),
        BLOCK_M=block_m,
        BLOCK_N=block_n,
    )
# --8<-- [end:made]


if __name__ == "__main__":
    print("== 4.5.1 three ways to copy ==")
    # --8<-- [start:demo]
    table = torch.arange(96.0, device=DEVICE).reshape(6, 16)
    window = table[1:4, :12]
    square = torch.arange(128.0 * 128, device=DEVICE).reshape(128, 128)
    for name, x, block in (
        ("window of 3 x 12", window, 8),
        ("square of 128 x 128", square, 64),
    ):
        M, N = x.shape
        for way, copy in (
            ("pointers", copy2d),
            ("host descriptors", copy_by_host_descriptor),
            ("made descriptors", copy_by_made_descriptor),
        ):
            whole = torch.full((M + 1, 128), -1.0, device=DEVICE)
            copy(x, whole[:M, :N], block, block)
            equal = torch.equal(whole[:M, :N], x)
            rest = int((whole == -1.0).sum())
            clean = rest == whole.numel() - M * N
            print(f"{name}, {way}: {equal}, nothing else: {clean}")
    # --8<-- [end:demo]
