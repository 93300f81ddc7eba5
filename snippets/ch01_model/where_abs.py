"""1.4: tl.where decides lane by lane."""

# /// capture
# ptx = ["abs_where_kernel(BLOCK=128)"]
# ///

import torch
import triton
import triton.language as tl

from ch01_model.relu_toggle import check_floats

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 128


# --8<-- [start:kernel]
@triton.jit
def abs_where_kernel(
    x_ptr,  # address of the input, n float32
    out_ptr,  # address of the output, n float32
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    x = tl.where(x < 0, -x, x)
    tl.store(out_ptr + offsets, x, mask=mask)
# --8<-- [end:kernel]


def abs_where(x: torch.Tensor, block: int = BLOCK) -> torch.Tensor:
    check_floats(x)
    out = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        grid = (triton.cdiv(n, block),)
        abs_where_kernel[grid](x, out, n, BLOCK=block)
    return out


if __name__ == "__main__":
    print("== 1.4.1 a choice for each lane ==")
    # --8<-- [start:demo]
    for values in [
        [-1.0, -2.0, -3.0, -4.0],
        [-1.0, 2.0, -3.0, 4.0],
        [1.0, 2.0, 3.0, 4.0],
    ]:
        x = torch.tensor(values, device=DEVICE)
        out = abs_where(x)
        print(f"{x.tolist()} becomes: {out.tolist()}")
    torch.manual_seed(0)
    x = torch.randn(1000).to(DEVICE)
    print("1000 random, right:", torch.equal(abs_where(x), x.abs()))
    # --8<-- [end:demo]
