"""9.4, from below: what Triton's own checks let through and the tools
behind it refuse. Their reasons go to C's standard error."""

# /// capture
# rejects = ["number_mask_kernel", "returning_kernel"]
# differs = """
# The interpreter has no tools behind it. A number is a mask there, and
# what a kernel returns is dropped."""
# ///

import contextlib
import io
import os
import re
import tempfile

import torch
import triton
import triton.language as tl

from ch09_debugging.reject_types import attempt

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernels]
@triton.jit
def number_mask_kernel(
    x_ptr,  # address of the input
    keep_ptr,  # address of one int32 for each element: 0 or not
    out_ptr,  # address of the output
    BLOCK: tl.constexpr,  # elements of each
):
    offsets = tl.arange(0, BLOCK)
    keep = tl.load(keep_ptr + offsets)
    x = tl.load(x_ptr + offsets, mask=keep, other=0.0)
    tl.store(out_ptr + offsets, x)


@triton.jit
def returning_kernel(
    x_ptr,  # address of the input
    BLOCK: tl.constexpr,  # elements of it
):
    return 2 * tl.load(x_ptr + tl.arange(0, BLOCK))
# --8<-- [end:kernels]


# --8<-- [start:overheard]
def overheard(title, launch):
    """An attempt, and the errors that reach descriptor 2 meanwhile.
    What Python prints (a listing of the kernel) is dropped."""

    def quiet():
        with contextlib.redirect_stdout(io.StringIO()):
            launch()

    screen = os.dup(2)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 2)
        try:
            attempt(title, quiet)
        finally:
            os.dup2(screen, 2)
            os.close(screen)
        file.seek(0)
        said = file.read().decode()
    for number, reason in enumerate(re.findall("error: (.*)", said)):
        print(f"below {number}:", reason)
# --8<-- [end:overheard]


# --8<-- [start:demo]
x = torch.ones(4, device=DEVICE)
out = torch.zeros(4, device=DEVICE)
keep = torch.tensor([2, 0, 1, 0], dtype=torch.int32, device=DEVICE)
one = (1,)

overheard(
    "numbers as a mask",
    lambda: number_mask_kernel[one](x, keep, out, 4),
)
print("out:", out.tolist())
overheard("a kernel that returns", lambda: returning_kernel[one](x, 4))
# --8<-- [end:demo]
