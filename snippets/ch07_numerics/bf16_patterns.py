"""Trap of 7.2: bfloat16 arithmetic in the interpreter."""

# /// capture
# differs = """The interpreter keeps bfloat16 as 16-bit integers and
# adds, multiplies and compares those."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
@triton.jit
def bf16_kernel(
    a_ptr,  # address of the left operands, n bfloat16
    b_ptr,  # address of the right operands, n bfloat16
    out_ptr,  # address of the results, n bfloat16
    n,  # how many elements there are
    OP: tl.constexpr,  # what to compute
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    a = tl.load(a_ptr + offsets, mask=mask, other=0)
    b = tl.load(b_ptr + offsets, mask=mask, other=0)
    if OP == "a + b":
        y = a + b
    elif OP == "a * b":
        y = a * b
    elif OP == "-a":
        y = -a
    elif OP == "2.0 * a":
        y = 2.0 * a
    elif OP == "a < b":
        y = (a < b).to(tl.float32)
    elif OP == "tl.sum(a)":
        y = tl.sum(a, axis=0)
    elif OP == "a / b":
        y = a / b
    elif OP == "tl.maximum(a, b)":
        y = tl.maximum(a, b)
    elif OP == "a + b, widened":
        y = a.to(tl.float32) + b.to(tl.float32)
    tl.store(out_ptr + offsets, y, mask=mask)


a = torch.tensor([2.5, -3.0], device=DEVICE).bfloat16()
b = torch.tensor([2.0, 1.0], device=DEVICE).bfloat16()
OPS = ["a + b", "a * b", "-a", "2.0 * a", "a < b", "tl.sum(a)"]
OPS += ["a / b", "tl.maximum(a, b)", "a + b, widened"]
for op in OPS:
    out = torch.zeros_like(a)
    try:
        bf16_kernel[(1,)](a, b, out, 2, OP=op, BLOCK=2)
        print(f"{op}: {', '.join(f'{v:.3g}' for v in out.tolist())}")
    except Exception as error:
        print(f"{op}: {error}")
# --8<-- [end:trap]
