"""9.4, launches: what a launcher does not take. The kernel is fine."""

# /// capture
# rejects = ["copy_kernel"]
# differs = """
# Each mode has a launcher of its own; the interpreter's looks at
# less."""
# ///

import torch
import triton
import triton.language as tl

from ch09_debugging.reject_types import attempt

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def copy_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    n,  # elements of both
    BLOCK: tl.constexpr,  # elements per program
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:demo]
x = torch.ones(4, device=DEVICE)
out = torch.zeros(4, device=DEVICE)
copy = copy_kernel[(1,)]

attempt("num_warps=3", lambda: copy(x, out, 4, BLOCK=4, num_warps=3))
attempt("a list", lambda: copy([1.0, 2.0], out, 2, BLOCK=4))
attempt("n is a string", lambda: copy(x, out, "4", BLOCK=4))
attempt("n is 2**70", lambda: copy(x, out, 2**70, BLOCK=4))
attempt("n is a tensor", lambda: copy(x, out, torch.tensor(4), BLOCK=4))
attempt("BLOCK twice", lambda: copy(x, out, 4, 4, BLOCK=4))
attempt("one too many", lambda: copy(x, out, 4, 4, 4))
attempt("BLOCK is a list", lambda: copy(x, out, 4, BLOCK=[4]))
attempt("no output", lambda: copy(x, None, 4, BLOCK=4))
attempt("out and n swapped", lambda: copy(x, 4, out, BLOCK=4))
attempt(
    "complex numbers",
    lambda: copy(x.to(torch.complex64), out, 4, BLOCK=4),
)
# --8<-- [end:demo]
