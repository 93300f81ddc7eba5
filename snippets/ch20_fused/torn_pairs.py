"""20.3: RoPE in place, one program for each half of the pairs: one
of them finds that its partner has moved."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch
import triton
import triton.language as tl

from ch20_fused.rope import rope_eager, rope_table

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LENGTH = 8 if DEVICE == "cpu" else 2**16
HEADS, DIM = 2, 8


# --8<-- [start:kernel]
@triton.jit
def torn_rope_kernel(
    x_ptr,  # address of x[0, 0, 0]: position, head, dim; contiguous
    out_ptr,  # address of out[0, 0, 0], likewise
    cos_ptr,  # address of cos[0, 0]: position, pair
    sin_ptr,  # address of sin[0, 0], likewise
    HEADS: tl.constexpr,  # how many heads, a power of two
    HALF: tl.constexpr,  # pairs of a head, a power of two
):
    second = tl.program_id(1)  # this program's half: 0 or 1
    pair = tl.arange(0, HALF)[None, :]
    row = tl.program_id(0) * HEADS + tl.arange(0, HEADS)[:, None]
    mine = row * 2 * HALF + second * HALF + pair
    other = row * 2 * HALF + (1 - second) * HALF + pair
    table = tl.program_id(0) * HALF + pair
    cos, sin = tl.load(cos_ptr + table), tl.load(sin_ptr + table)
    sin = tl.where(second == 0, -sin, sin)
    y = tl.load(x_ptr + mine) * cos + tl.load(x_ptr + other) * sin
    tl.store(out_ptr + mine, y)
# --8<-- [end:kernel]


# --8<-- [start:demo]
torch.manual_seed(0)
cos, sin = rope_table(LENGTH, DIM)
x = torch.randn(1, LENGTH, HEADS, DIM).to(DEVICE)
true = rope_eager(x, cos, sin)
for name, out in (("elsewhere", torch.empty_like(x)), ("in place", x)):
    torn_rope_kernel[(LENGTH, 2)](
        x, out, cos, sin, HEADS=HEADS, HALF=DIM // 2
    )
    first, second = (
        torch.allclose(a, b, atol=1e-5)
        for a, b in zip(out.chunk(2, -1), true.chunk(2, -1))
    )
    print(f"{name}: first half {first}, second half {second}")
# --8<-- [end:demo]
