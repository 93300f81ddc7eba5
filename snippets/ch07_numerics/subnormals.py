"""7.2: which operations keep a float32 subnormal, and which flush."""

# /// capture
# differs = """Compiled, the approximate instructions with .ftz take a
# subnormal as zero; NumPy never does."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LN2 = tl.constexpr(0.6931472)


# --8<-- [start:kernel]
@triton.jit
def tiny_kernel(
    x_ptr,  # address of one float32
    out_ptr,  # address of seven float32
    down,  # -130.0
):
    x = tl.load(x_ptr)
    tl.store(out_ptr + 0, x * 0.5)
    tl.store(out_ptr + 1, x + x)
    tl.store(out_ptr + 2, tl.sqrt(x))
    tl.store(out_ptr + 3, tl.sqrt_rn(x))
    tl.store(out_ptr + 4, tl.rsqrt(x))
    tl.store(out_ptr + 5, tl.exp2(x + down))
    tl.store(out_ptr + 6, tl.exp((x + down) * LN2))
# --8<-- [end:kernel]


# --8<-- [start:demo]
x = torch.tensor([2.0**-130], device=DEVICE)
out = torch.empty(7, device=DEVICE)
tiny_kernel[(1,)](x, out, -130.0)
names = ["x * 0.5", "x + x", "tl.sqrt(x)"]
names += ["tl.sqrt_rn(x)", "tl.rsqrt(x)"]
names += ["tl.exp2(-130)", "tl.exp(-130 ln 2)"]
for name, result in zip(names, out.tolist()):
    print(f"{name}: {result:.3e}")
# --8<-- [end:demo]
