"""3.5: what narrow accesses cost, by the size of an element."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "* rate over copy" = { kind = "measured", within = 0.25 }
# "* time over aligned" = { kind = "measured", within = 0.25 }
# ///

import re

import torch
import triton
import triton.testing

from ch03_layout.views import copy_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SIZE = 2**30  # bytes of each tensor
PER_PROGRAM = 4096  # bytes that a program copies


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:time]
def copy(x, out, n):
    block = PER_PROGRAM // x.element_size()
    grid = (triton.cdiv(n, block),)
    return copy_kernel[grid](x, out, n, BLOCK=block)


def compare(dtype):
    print(f"== {dtype} ==")
    size = (SIZE + 64,)  # below 120: no byte that makes a NaN
    raw = torch.randint(120, size, dtype=torch.uint8, device=DEVICE)
    base = raw.view(dtype)
    room = torch.zeros_like(base)
    n = SIZE // base.element_size()
    cases = [
        ("torch", base, room, n),
        ("aligned", base, room, n),
        ("n - 1", base, room, n - 1),
        ("x shifted", base[1:], room, n),
        ("x and out shifted", base[1:], room[1:], n),
    ]
    for name, x, out, count in cases:
        if name == "torch":
            ms = median_ms(lambda: out[:count].copy_(x[:count]))
            name, ceiling = "copy", ms
        else:
            room.zero_()
            ms = median_ms(lambda: copy(x, out, count))
            ptx = copy(x, out, count).asm["ptx"]
            loads = re.findall(r"ld\.global[.\w]*", ptx)
            print(f"{name} loads: {len(loads)} x {loads[0]}")
            same = torch.equal(out[:count], x[:count])
            print(f"{name} right: {same}")
        if name == "aligned":
            aligned = ms
        print(f"{name} ms: {ms:.3f}")
        print(f"{name} GB/s: {2 * SIZE / ms / 1e6:.0f}")
        print(f"{name} rate over copy: {ceiling / ms:.2f}")
        if name != "copy":
            print(f"{name} time over aligned: {ms / aligned:.2f}")


for dtype in (torch.float32, torch.float16, torch.uint8):
    compare(dtype)
# --8<-- [end:time]
