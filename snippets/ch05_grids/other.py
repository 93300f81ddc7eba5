"""5.2.1: what a lane holds that was masked off."""

# /// capture
# ptx = [
#   "lanes_kernel(OTHER=None, BLOCK=8)",
#   "lanes_kernel(OTHER=-1.0, BLOCK=8)",
# ]
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 8


# --8<-- [start:kernel]
@triton.jit
def lanes_kernel(
    x_ptr,  # address of x[0], float32
    out_ptr,  # address of the lanes: a whole number of blocks
    n,  # how many elements of x may be read
    OTHER: tl.constexpr,  # for masked lanes; None: not given
    BLOCK: tl.constexpr,  # lanes of one program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=OTHER)
    tl.store(out_ptr + offsets, x)  # out has room for every lane
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def lanes(x: torch.Tensor, n: int, other: float | None):
    """What each lane holds after a load of x under offsets < n."""
    if x.dtype != torch.float32:
        raise TypeError(f"x is {x.dtype}, wanted torch.float32")
    if not x.is_contiguous():
        raise ValueError(f"x has strides {x.stride()}, wanted (1,)")
    programs = triton.cdiv(n, BLOCK)
    out = torch.full((programs * BLOCK,), 7.0, device=DEVICE)
    lanes_kernel[(programs,)](x, out, n, OTHER=other, BLOCK=BLOCK)
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 5.2.1 five elements, eight lanes ==")
    # --8<-- [start:demo]
    buffer = torch.full((BLOCK,), 100.0, device=DEVICE)
    x = buffer[:5]  # whatever lies behind x is 100
    x.copy_(torch.arange(1.0, 6.0))
    print(f"other=-1: {lanes(x, 5, -1.0).tolist()}")
    print(f"other not given: {lanes(x, 5, None).tolist()}")
    print(f"mask lets all pass: {lanes(x, BLOCK, None).tolist()}")
    # --8<-- [end:demo]
