"""3.3.1: read every element, or one in so many."""

# /// capture
# ptx = ["strided_kernel(BLOCK=1024)"]
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024


# --8<-- [start:kernel]
@triton.jit
def strided_kernel(
    x_ptr,  # address of x[0]
    out_ptr,  # address of out[0], of the same dtype
    n,  # how many elements to write
    stride,  # elements from one read to the next
    BLOCK: tl.constexpr,  # elements per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets * stride, mask=mask)
    tl.store(out_ptr + offsets, x, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def every(x, stride, block=BLOCK):
    """x[::stride], as a tensor of its own."""
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    if x.dim() != 1 or not x.is_contiguous():
        raise ValueError(
            f"x must be one contiguous axis: shape "
            f"{tuple(x.shape)}, strides {x.stride()}"
        )
    if stride < 1:
        raise ValueError(f"stride {stride}, wanted 1 or more")
    n = triton.cdiv(x.numel(), stride)
    out = torch.empty(n, dtype=x.dtype, device=x.device)
    if n == 0:
        return out
    grid = (triton.cdiv(n, block),)
    strided_kernel[grid](x, out, n, stride, BLOCK=block)
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 3.3.1 every element, or one in so many ==")
    # --8<-- [start:demo]
    x = torch.arange(16.0, device=DEVICE)
    for stride in (1, 2, 4, 8):
        found = every(x, stride, block=4)
        print(f"stride {stride}: {found.long().tolist()}")

    x = torch.randn(16 * 4096).to(DEVICE)
    for stride in (1, 2, 16):
        part = x[: 4096 * stride]
        same = torch.equal(every(part, stride), part[::stride])
        print(f"4096 elements, stride {stride}, right: {same}")
    # --8<-- [end:demo]
