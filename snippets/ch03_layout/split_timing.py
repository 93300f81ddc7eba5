"""3.5: a length that 16 does not divide, with one mask for all and
with a mask for the last block only."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "* rate over copy" = { kind = "measured", within = 0.25 }
# "split over masked, in time" = { kind = "measured", within = 0.35 }
# ///

import torch
import triton
import triton.testing

from ch03_layout.split_tail import split_copy_kernel
from ch03_layout.views import copy_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SIZE = 2**30  # bytes of each tensor
PER_PROGRAM = 4096  # bytes that a program copies


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:time]
def compare(dtype):
    print(f"== {dtype} ==")
    size = (SIZE,)  # below 120: no byte that makes a NaN
    raw = torch.randint(120, size, dtype=torch.uint8, device=DEVICE)
    x = raw.view(dtype)[:-1]
    out = torch.zeros_like(x)
    n = x.numel()
    block = PER_PROGRAM // x.element_size()
    grid = (triton.cdiv(n, block),)
    cases = [
        ("copy", lambda: out.copy_(x)),
        ("masked", lambda: copy_kernel[grid](x, out, n, BLOCK=block)),
        (
            "split",
            lambda: split_copy_kernel[grid](x, out, n, BLOCK=block),
        ),
    ]
    ms = {}
    for name, fn in cases:
        out.zero_()
        ms[name] = median_ms(fn)
        print(f"{name} right: {torch.equal(out, x)}")
        print(f"{name} ms: {ms[name]:.3f}")
        print(f"{name} GB/s: {2 * SIZE / ms[name] / 1e6:.0f}")
        print(f"{name} rate over copy: {ms['copy'] / ms[name]:.2f}")
    ratio = ms["split"] / ms["masked"]
    print(f"split over masked, in time: {ratio:.2f}")


for dtype in (torch.float32, torch.float16, torch.uint8):
    compare(dtype)
# --8<-- [end:time]
