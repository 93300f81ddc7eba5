"""8.1.1 on a GPU: the same rows, spilled or kept in registers."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* over copy" = { kind = "measured", within = 0.25 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# ///

import torch
import triton.testing

from ch08_allocation.centre import centre, centre_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS = 4096
COLS = 65536


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:time]
x = torch.randn(ROWS, COLS, device=DEVICE)
out = torch.empty_like(x)
size = x.numel() * x.element_size()
copy = median_ms(lambda: out.copy_(x))
print(f"bytes of x: {size}")
print(f"copy ms: {copy:.3f}")
print(f"copy GB/s: {2 * size / copy / 1e6:.0f}")
for warps in (4, 8, 16, 32):
    kernel = centre_kernel[(ROWS,)](
        x, out, COLS, BLOCK=COLS, num_warps=warps
    )
    ms = median_ms(lambda: centre(x, warps))
    print(f"warps {warps} values a thread: {COLS // (32 * warps)}")
    print(f"warps {warps} registers: {kernel.n_regs}")
    print(f"warps {warps} spills: {kernel.n_spills}")
    print(f"warps {warps} ms: {ms:.3f}")
    print(f"warps {warps} over copy: {ms / copy:.2f}")
# --8<-- [end:time]
