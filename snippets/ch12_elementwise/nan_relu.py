"""Trap: a ReLU that turns NaN into 0 when it is compiled."""

# /// capture
# differs = """Without propagate_nan the compiled maximum drops
# a NaN; the interpreter keeps it."""
# ///

import re

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
@triton.jit
def three_relus_kernel(
    x_ptr,  # address of the input, float32
    out_ptr,  # address of three rows of n results
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    plain = tl.maximum(x, 0.0)
    where = tl.where(x > 0.0, x, 0.0)
    keeps = tl.maximum(x, 0.0, propagate_nan=tl.PropagateNan.ALL)
    tl.store(out_ptr + offsets, plain, mask=mask)
    tl.store(out_ptr + n + offsets, where, mask=mask)
    tl.store(out_ptr + 2 * n + offsets, keeps, mask=mask)


x = torch.tensor([float("nan"), -1.0, 2.0], device=DEVICE)
n = x.numel()
out = torch.empty(3, n, device=DEVICE)
grid = (triton.cdiv(n, 4),)
compiled = three_relus_kernel[grid](x, out, n, BLOCK=4)
print(f"tl.maximum(x, 0.0): {out[0].tolist()}")
print(f"tl.where(x > 0.0, x, 0.0): {out[1].tolist()}")
print(f"propagate_nan=ALL: {out[2].tolist()}")
print(f"torch.relu: {torch.relu(x).tolist()}")
ptx = compiled.asm["ptx"] if compiled else ""  # none if interpreted
found = re.findall(r"max\.[.\w]*f32", ptx)
print(f"max instructions in the PTX: {' '.join(found) or 'no PTX'}")
# --8<-- [end:trap]
