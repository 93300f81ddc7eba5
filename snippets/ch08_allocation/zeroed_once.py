"""Trap of 8.4: scratch that is kept, added to, and zeroed once."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 4


# --8<-- [start:trap]
@triton.jit
def add_up_kernel(
    x_ptr,  # address of x[0], float32
    total_ptr,  # one float32: the sum is added to it
    n,  # how many elements x has
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    pid = tl.program_id(0)
    offsets = pid.to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    tl.atomic_add(total_ptr, tl.sum(x, axis=0))


class Sum:
    """Sums vectors, and keeps its scratch from call to call."""

    def __init__(self, clear: bool):
        self.total = torch.zeros(1, device=DEVICE)
        self.clear = clear

    def __call__(self, x):
        if self.clear:
            self.total.zero_()
        n = x.numel()
        if n > 0:
            grid = (triton.cdiv(n, BLOCK),)
            add_up_kernel[grid](x, self.total, n, BLOCK=BLOCK)
        return self.total


x = torch.arange(1.0, 11.0, device=DEVICE)
for name, clear in [("zeroed once", False), ("zeroed each time", True)]:
    add_up = Sum(clear)
    first = add_up(x)
    print(f"{name}, first call: {first.item()}")
    second = add_up(2 * x)
    print(f"{name}, second call: {second.item()}")
    print(f"{name}, first result now: {first.item()}")
# --8<-- [end:trap]
