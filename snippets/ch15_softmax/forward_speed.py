"""15.5: softmax, LayerNorm and RMSNorm forward, against eager,
torch.compile and a plain copy, and by length of row."""

# /// capture
# runners = ["gpu"]
# timeout = 400
# [labels]
# "* ms" = { kind = "measured", within = 0.2 }
# "* GB/s" = { kind = "measured", within = 0.2 }
# "* of the copy" = { kind = "measured", within = 0.2 }
# "* relative error" = { kind = "bound", limit = 2e-2 }
# "* over *" = { kind = "measured", within = 0.2 }
# [speed."softmax, 16384 x 8192 bfloat16"]
# library = "torch.compile"
# over_library = "[softmax | kernel over torch.compile]"
# ceiling = "a plain copy"
# of_ceiling = "[softmax | kernel of the copy]"
# [speed."LayerNorm, 16384 x 8192 bfloat16"]
# library = "torch.compile"
# over_library = "[LayerNorm | kernel over torch.compile]"
# ceiling = "a plain copy"
# of_ceiling = "[LayerNorm | kernel of the copy]"
# [speed."RMSNorm, 16384 x 8192 bfloat16"]
# library = "torch.compile"
# over_library = "[RMSNorm | kernel over torch.compile]"
# ceiling = "a plain copy"
# of_ceiling = "[RMSNorm | kernel of the copy]"
# ///

import torch
import torch.nn.functional as F
import triton.testing

from ch15_softmax.layer_norm import layer_norm
from ch15_softmax.rms_norm import rms_norm
from ch15_softmax.softmax import softmax_rows

ROWS, COLS = 16384, 8192
EPS = 1e-5
LENGTHS = (256, 1024, 4096, 8191, 8192, 16384, 32768)


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


def relative_error(y, truth):
    return ((y - truth).abs().max() / truth.abs().max()).item()


# --8<-- [start:cases]
def softmax(x, weight, bias):
    return F.softmax(x, -1)


def layer(x, weight, bias):
    return F.layer_norm(x, weight.shape, weight, bias, EPS)


def rms(x, weight, bias):
    return F.rms_norm(x, weight.shape, weight, EPS)


CASES = [
    ("softmax", softmax, lambda x, w, b: softmax_rows(x)),
    ("LayerNorm", layer, lambda x, w, b: layer_norm(x, w, b, EPS)[0]),
    ("RMSNorm", rms, lambda x, w, b: rms_norm(x, w, EPS)[0]),
]
# --8<-- [end:cases]


def inputs(rows, cols):
    x = torch.randn(rows, cols, device="cuda").bfloat16()
    weight, bias = torch.randn(2, cols, device="cuda").bfloat16()
    return x, weight, bias


# --8<-- [start:time]
torch.manual_seed(0)
args = inputs(ROWS, COLS)
x = args[0]
out = torch.empty_like(x)
moved = 2 * x.numel() * x.element_size()  # each byte once
copy = median_ms(lambda: out.copy_(x))
print("== a plain copy ==")
print(f"bytes, read and written: {moved}")
print(f"copy ms: {copy:.4f}")
print(f"copy GB/s: {moved / copy / 1e6:.0f}")
for name, eager, kernel in CASES:
    print(f"== {name} ==")
    truth = eager(x[:64].float(), *(t.float() for t in args[1:]))
    compiled = torch.compile(eager)
    ms = {}
    for title, fn in (
        ("eager", eager),
        ("torch.compile", compiled),
        ("kernel", kernel),
    ):
        error = relative_error(fn(*args)[:64].float(), truth)
        ms[title] = median_ms(lambda: fn(*args))
        print(f"{title} ms: {ms[title]:.4f}")
        print(f"{title} GB/s: {moved / ms[title] / 1e6:.0f}")
        print(f"{title} of the copy: {copy / ms[title]:.3f}")
        print(f"{title} relative error: {error:.1e}")
    for title in ("eager", "torch.compile"):
        ratio = ms[title] / ms["kernel"]
        print(f"kernel over {title}: {ratio:.2f}")

print("== by length of row ==")
for cols in LENGTHS:
    args = inputs(2**27 // cols, cols)
    moved = 2 * args[0].numel() * args[0].element_size()
    target = torch.empty_like(args[0])
    ms = median_ms(lambda: target.copy_(args[0]))
    print(f"COLS {cols} copy GB/s: {moved / ms / 1e6:.0f}")
    for name, _, kernel in CASES:
        ms = median_ms(lambda: kernel(*args))
        print(f"COLS {cols} {name} GB/s: {moved / ms / 1e6:.0f}")
# --8<-- [end:time]
