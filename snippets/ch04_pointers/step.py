"""4.1.1: how many bytes one step of a pointer takes, by dtype, and
what the same address holds when it is read byte by byte."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DTYPES = (
    torch.bool,
    torch.int8,
    torch.float16,
    torch.bfloat16,
    torch.float32,
    torch.int64,
)


# --8<-- [start:step]
@triton.jit
def step_kernel(
    x_ptr,  # some address; nothing is read there
    out_ptr,  # address of the result, int64
):
    here = x_ptr.to(tl.int64)
    there = (x_ptr + 1).to(tl.int64)
    tl.store(out_ptr, there - here)
# --8<-- [end:step]


# --8<-- [start:bytes]
@triton.jit
def bytes_kernel(
    x_ptr,  # address of the elements, of any dtype
    out_ptr,  # address of the bytes, uint8
    n,  # how many bytes to read
    BLOCK: tl.constexpr,  # bytes per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    byte_ptr = x_ptr.to(tl.pointer_type(tl.uint8))
    x = tl.load(byte_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x, mask=mask)


def raw_bytes(x: torch.Tensor, block: int = 128) -> torch.Tensor:
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    if not x.is_contiguous():
        raise ValueError(
            f"x must be contiguous: shape {tuple(x.shape)}, "
            f"strides {x.stride()}"
        )
    n = x.numel() * x.element_size()
    out = torch.empty(n, dtype=torch.uint8, device=x.device)
    if n == 0:
        return out
    grid = (triton.cdiv(n, block),)
    bytes_kernel[grid](x, out, n, BLOCK=block)
    return out
# --8<-- [end:bytes]


if __name__ == "__main__":
    print("== 4.1.1 one step ==")
    # --8<-- [start:demo]
    out = torch.empty(1, dtype=torch.int64, device=DEVICE)
    for dtype in DTYPES:
        x = torch.zeros(2, dtype=dtype, device=DEVICE)
        step_kernel[(1,)](x, out)
        print(f"{dtype} step: {out.item()} bytes")

    print("== 4.1.1 the same address, byte by byte ==")
    x = torch.tensor([1.0, -2.0], device=DEVICE)
    print(f"bytes of {x.tolist()}: {raw_bytes(x).tolist()}")
    half = x.to(torch.float16)
    print(f"the same in float16: {raw_bytes(half).tolist()}")
    # --8<-- [end:demo]
