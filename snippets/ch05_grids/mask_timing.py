"""Trap of 5.3: the time that a mask costs, where none is needed."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* in copies" = { kind = "measured", within = 0.25 }
# ///

import torch
import triton.testing

from ch05_grids.mask_cost import double_by_mask

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**28


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


torch.manual_seed(0)
x = torch.randn(N, device=DEVICE)
out = torch.empty_like(x)
print(f"bytes read and written: {2 * 4 * N}")
# --8<-- [start:time]
copy = median_ms(lambda: out.copy_(x))
print(f"copy ms: {copy:.3f}")
for title, masked in [("no mask", False), ("mask", True)]:
    ms = median_ms(lambda: double_by_mask(x, out, masked))
    print(f"{title} right: {torch.equal(out, 2 * x)}")
    print(f"{title} ms: {ms:.3f}")
    print(f"{title} in copies: {ms / copy:.3f}")
# --8<-- [end:time]
