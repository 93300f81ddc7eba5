"""What makes Triton compile again: every launch below changes one
thing, and counts the lines that tl.static_print writes."""

# /// capture
# differs = """
# The interpreter never compiles: it prints once a program,
# whatever the launch."""
# ///

import contextlib
import io

import torch

from ch02_parameterization.constexpr_shape import shape_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

x = torch.ones(1024, device=DEVICE)
out = torch.empty_like(x)


# --8<-- [start:demo]
def traces(x, n, block=1024, **options):
    """Launch one program; count the lines of static_print."""
    text = io.StringIO()
    with contextlib.redirect_stdout(text):
        shape_kernel[(1,)](x, out, n, BLOCK=block, **options)
    return text.getvalue().count("\n")


print("== one program a launch ==")
lines = {
    "first launch, n 1000": traces(x, 1000),
    "the same again": traces(x, 1000),
    "n 1001": traces(x, 1001),
    "n 1008, a multiple of 16": traces(x, 1008),
    "n 1": traces(x, 1),
    "x[1:], a pointer off by 4 bytes": traces(x[1:], 1000),
    "float16 input": traces(x.half(), 1000),
    "num_warps 8": traces(x, 1000, num_warps=8),
    "BLOCK 512": traces(x, 500, block=512),
}
for launch, count in lines.items():
    print(f"{launch}: {count}")
print("in all:", sum(lines.values()))
# --8<-- [end:demo]
