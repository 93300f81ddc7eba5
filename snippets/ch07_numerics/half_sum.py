"""Trap of 7.4: tl.sum keeps the dtype of its input."""

# /// capture
# differs = """NumPy adds float16 in float32 and rounds once, and adds
# bfloat16 as integers; the compiled sum rounds at every step."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
@triton.jit
def half_sum_kernel(
    x_ptr,  # address of the input, n elements
    out_ptr,  # address of two float32
    n,  # how many elements there are, at most BLOCK
    BLOCK: tl.constexpr,  # lanes, a power of two
):
    lanes = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + lanes, mask=lanes < n, other=0)
    tl.store(out_ptr, tl.sum(x, axis=0).to(tl.float32))
    wide = x.to(tl.float32)
    tl.store(out_ptr + 1, tl.sum(wide, axis=0))


torch.manual_seed(0)
rows = {
    "random": torch.rand(4096),
    "all 100": torch.full((1024,), 100.0),
}
for name, row in rows.items():
    for dtype in (torch.float16, torch.bfloat16):
        x = row.to(dtype)
        out = torch.empty(2, device=DEVICE)
        half_sum_kernel[(1,)](x.to(DEVICE), out, len(x), BLOCK=4096)
        title = f"{name}, {str(dtype).removeprefix('torch.')}"
        print(f"{title}, tl.sum(x): {out[0].item():.7g}")
        print(f"{title}, tl.sum(wide): {out[1].item():.5g}")
        print(f"{title}, exact: {x.double().sum().item():.5g}")
# --8<-- [end:trap]
