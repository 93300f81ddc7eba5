"""1.4: a real branch, taken or not by a whole program."""

# /// capture
# ptx = ["cut_down_kernel(BLOCK=128)"]
# ///

import torch
import triton
import triton.language as tl

from ch01_model.relu_toggle import check_floats

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 128


# --8<-- [start:kernel]
@triton.jit
def cut_down_kernel(
    x_ptr,  # address of n float32, changed in place
    skipped_ptr,  # address of one int32 for each program
    n,  # how many elements there are
    limit,  # a float; what is larger gets cut down to it
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=limit)
    too_large = x > limit
    skipped = 1
    if tl.sum(too_large.to(tl.int32), axis=0) > 0:  # one number
        x = tl.where(too_large, limit, x)
        tl.store(x_ptr + offsets, x, mask=mask)
        skipped = 0
    tl.store(skipped_ptr + tl.program_id(0), skipped)
# --8<-- [end:kernel]


def cut_down(x: torch.Tensor, limit: float, block: int = BLOCK):
    """Clamp x from above in place; say which programs did not
    have to write."""
    check_floats(x)
    n = x.numel()
    programs = triton.cdiv(n, block)
    skipped = torch.empty(programs, dtype=torch.int32, device=DEVICE)
    if n > 0:
        cut_down_kernel[(programs,)](
            x, skipped, n, float(limit), BLOCK=block
        )
    return skipped


if __name__ == "__main__":
    print("== 1.4.2 a choice for each program ==")
    # --8<-- [start:demo]
    x = torch.tensor([1.0, 2.0, 3.0, 9.0, 1.0, 1.0], device=DEVICE)
    skipped = cut_down(x, 3.0, block=2)
    print("x:", x.tolist())
    print("skipped, by program:", skipped.tolist())
    torch.manual_seed(0)
    x = torch.randn(1000).to(DEVICE)
    want = x.clamp(max=2.5)
    skipped = cut_down(x, 2.5)
    print("1000 random, right:", torch.equal(x, want))
    print("programs that skipped:", skipped.sum().item())
    # --8<-- [end:demo]
