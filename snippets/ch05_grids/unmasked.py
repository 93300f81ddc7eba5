"""5.3.1: a store without a mask, in a buffer that is all ours."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def careless_double_kernel(
    x_ptr,  # address of x[0], float32
    out_ptr,  # address of out[0], float32, as long as x
    n,  # how many elements both have
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.store(out_ptr + offsets, 2 * x)  # where is the mask?
# --8<-- [end:kernel]


# --8<-- [start:run]
def careless_double(x, out, block):
    """2 * x into out, and zeros into what lies behind out."""
    n = x.numel()
    programs = triton.cdiv(n, block)
    careless_double_kernel[(programs,)](x, out, n, BLOCK=block)
    return range(n, programs * block)  # offsets that are not ours
# --8<-- [end:run]


if __name__ == "__main__":
    print("== 5.3.1 five elements, and a neighbour ==")
    # --8<-- [start:demo]
    buffer = torch.full((16,), 7.0, device=DEVICE)
    out, neighbour = buffer[:5], buffer[5:]
    x = torch.arange(1.0, 6.0, device=DEVICE)

    stray = careless_double(x, out, block=4)
    print(f"out: {out.tolist()}")
    print(f"out equals 2 * x: {torch.equal(out, 2 * x)}")
    print(f"neighbour, block 4: {neighbour.tolist()}")
    print(f"predicted strays, block 4: {list(stray)}")

    neighbour.fill_(7.0)
    stray = careless_double(x, out, block=8)
    print(f"neighbour, block 8: {neighbour.tolist()}")
    print(f"predicted strays, block 8: {list(stray)}")

    neighbour.fill_(7.0)
    stray = careless_double(x[:4], out, block=4)
    print(f"neighbour, n 4, block 4: {neighbour.tolist()}")
    print(f"predicted strays, n 4, block 4: {list(stray)}")
    # --8<-- [end:demo]
