"""8.3.1: in place, element-wise and with a neighbour."""

import torch
import triton
import triton.language as tl

from ch12_elementwise.fma_relu import fma_relu_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def difference_kernel(
    x_ptr,  # address of x[0], float32
    out_ptr,  # address of out[0], float32
    n,  # how many elements both have
    LAST_FIRST: tl.constexpr,  # number the blocks from the end
    BLOCK: tl.constexpr,  # how many elements one program takes
):
    pid = tl.program_id(0)
    if LAST_FIRST:
        pid = tl.num_programs(0) - 1 - pid
    offsets = pid.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    here = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    ahead = offsets + 1
    ahead = tl.load(x_ptr + ahead, mask=ahead < n, other=0.0)
    tl.store(out_ptr + offsets, ahead - here, mask=mask)
# --8<-- [end:kernel]


def launch_difference(x, out, last_first=False, block=1024):
    """out[i] = x[i + 1] - x[i], with 0 behind the end. No check."""
    n = x.numel()
    if n > 0:
        grid = (triton.cdiv(n, block),)
        difference_kernel[grid](
            x, out, n, LAST_FIRST=last_first, BLOCK=block
        )


if __name__ == "__main__":
    print("== 8.3.1 in place ==")
    # --8<-- [start:demo]
    x = torch.tensor([1.0, 4, 9, 16, 25, 36, 49, 64], device=DEVICE)
    y = x.clone()
    fma_relu_kernel[(2,)](y, y, 2.0, -9.0, 8, BLOCK=4)
    print(f"element-wise, in place: {y.tolist()}")
    print(f"right: {torch.equal(y, torch.relu(2 * x - 9))}")

    out = torch.empty_like(x)
    launch_difference(x, out, block=4)
    print(f"difference: {out.tolist()}")
    # --8<-- [end:demo]
