"""9.3.2: a kernel that raises, looked at afterwards."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "A compiled kernel leaves no Python frames behind."
# ///

import traceback

import torch
import triton
import triton.language as tl

from ch09_debugging.debugger import Scripted

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def scale_kernel(
    x_ptr,  # address of x[0], float32
    scale_ptr,  # address of one factor for each program
    out_ptr,  # address of the products
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program
):
    pid = tl.program_id(0)
    offsets = pid * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    scale = tl.load(scale_ptr + pid, mask=mask)
    tl.store(out_ptr + offsets, scale * x, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:demo]
x = torch.arange(6.0, device=DEVICE)
out = torch.empty_like(x)
scale = torch.tensor([2.0, 3.0], device=DEVICE)
try:
    scale_kernel[(2,)](x, scale, out, 6, BLOCK=4)
except Exception as error:
    print("raised:", type(error).__name__)
    cause = error.__cause__
    print("cause:", f"{type(cause).__name__}: {cause}")
    frames = traceback.walk_tb(cause.__traceback__)
    names = [frame.f_code.co_name for frame, _ in frames]
    ups = len(names) - 1 - names.index("scale_kernel")
    debugger = Scripted(
        f"up {ups}",
        "p str(mask)",
        "p mask.handle.data",
        "p pid.handle.data, offsets.handle.data",
        "q",
    )
    debugger.reset()
    debugger.interaction(None, cause.__traceback__)
# --8<-- [end:demo]
