"""15.5: softmax of rows as long as a vocabulary."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.4 }
# "* GB/s" = { kind = "measured", within = 0.4 }
# "* of the copy" = { kind = "measured", within = 0.4 }
# "* relative error" = { kind = "bound", limit = 0.1 }
# [speed."softmax, 4096 x 131072 bfloat16"]
# library = "torch.compile"
# over_library = "[torch.compile ms] / [online ms]"
# ceiling = "a plain copy"
# of_ceiling = "[copy ms] / [online ms]"
# ///

import torch
import triton.testing

from ch15_softmax.online import softmax_online
from ch15_softmax.three_sweeps import softmax_three

ROWS, COLS = 4096, 131072


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


def eager(x):
    return torch.softmax(x, -1)


# --8<-- [start:time]
torch.manual_seed(0)
x = torch.randn(ROWS, COLS, device="cuda").bfloat16()
out = torch.empty_like(x)
truth = torch.softmax(x[:64].float(), -1)
moved = 2 * x.numel() * x.element_size()  # each byte once
copy = median_ms(lambda: out.copy_(x))
print(f"bytes, read and written: {moved}")
print(f"copy ms: {copy:.4f}")
print(f"copy GB/s: {moved / copy / 1e6:.0f}")
for name, fn in (
    ("eager", eager),
    ("torch.compile", torch.compile(eager)),
    ("three reads", softmax_three),
    ("online, no hints", lambda x: softmax_online(x, hints=False)),
    ("online", softmax_online),
):
    worst = (fn(x)[:64].float() - truth).abs().max()
    ms = median_ms(lambda: fn(x))
    print(f"{name} ms: {ms:.4f}")
    print(f"{name} GB/s: {moved / ms / 1e6:.0f}")
    print(f"{name} of the copy: {copy / ms:.3f}")
    print(f"{name} relative error: {(worst / truth.max()).item():.1e}")
# --8<-- [end:time]
