"""15.5: the backward of LayerNorm and RMSNorm, against eager,
torch.compile and a plain copy."""

# /// capture
# runners = ["gpu"]
# timeout = 400
# [labels]
# "* relative error" = { kind = "bound", limit = 0.1 }
# "through autograd *" = { kind = "measured", within = 0.9 }
# "* ms" = { kind = "measured", within = 0.4 }
# "fastest of the others" = { kind = "volatile" }
# "* over *" = { kind = "measured", within = 0.4 }
# "* of three passes" = { kind = "measured", within = 0.4 }
# [speed."LayerNorm backward, 16384 x 8192 bfloat16"]
# library = "torch.compile, of the formula"
# over_library = "[LayerNorm | kernel over the fastest]"
# ceiling = "three passes at the rate of a copy"
# of_ceiling = "[LayerNorm | kernel of three passes]"
# [speed."RMSNorm backward, 16384 x 8192 bfloat16"]
# library = "torch.compile, of the formula"
# over_library = "[RMSNorm | kernel over the fastest]"
# ceiling = "three passes at the rate of a copy"
# of_ceiling = "[RMSNorm | kernel of three passes]"
# ///

import torch
import torch._inductor.config
import torch.nn.functional as F
import triton.testing

from ch15_softmax.norm_backward import LayerNorm, RMSNorm
from ch15_softmax.norm_backward import norm_backward

ROWS, COLS = 16384, 8192
EPS = 1e-5
NAMES = ("x", "weight", "bias")
LENGTHS = (256, 1024, 4096, 8192, 16384, 32768)
torch._inductor.config.compile_threads = 4  # processes, not one a core


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


def relative_error(y, truth):
    return ((y - truth).abs().max() / truth.abs().max()).item()


def layer(x, weight, bias):
    return F.layer_norm(x, weight.shape, weight, bias, EPS)


def rms(x, weight):
    return F.rms_norm(x, weight.shape, weight, EPS)


# --8<-- [start:formula]
def formula(grad, x, weight, mean, rstd):
    """The backward, written out for torch.compile to fuse."""
    grad, wide, rstd = grad.float(), x.float(), rstd[:, None]
    if mean is not None:
        wide = wide - mean[:, None]
    unit = wide * rstd
    pull = grad * weight.float()
    dx = pull - unit * (pull * unit).mean(1, keepdim=True)
    sums = [(grad * unit).sum(0)]
    if mean is not None:
        dx = dx - pull.mean(1, keepdim=True)
        sums.append(grad.sum(0))
    return [(dx * rstd).to(x.dtype)] + [s.to(x.dtype) for s in sums]
# --8<-- [end:formula]


# --8<-- [start:time]
torch.manual_seed(0)
x, grad = torch.randn(2, ROWS, COLS, device="cuda").bfloat16()
weight, bias = torch.randn(2, COLS, device="cuda").bfloat16()
out = torch.empty_like(x)
copy = median_ms(lambda: out.copy_(x))
print("== a plain copy ==")
print(f"copy ms: {copy:.4f}")
for name, eager, ours, args in (
    ("LayerNorm", layer, LayerNorm.apply, (x, weight, bias)),
    ("RMSNorm", rms, RMSNorm.apply, (x, weight)),
):
    print(f"== {name} ==")
    args = [t.detach().requires_grad_() for t in args]
    wide = x.float()
    mean = wide.mean(1) if name == "LayerNorm" else None
    away = wide if mean is None else wide - mean[:, None]
    rstd = (away.square().mean(1) + EPS).rsqrt()
    truth = formula(grad, x, weight, mean, rstd)
    del wide, away
    written = torch.compile(formula)
    ways = {"explicit formula, compiled": lambda: written(
        grad, x, weight, mean, rstd
    )}  # fmt: skip
    for title, fn in (
        ("eager", eager),
        ("torch.compile", torch.compile(eager)),
        ("through autograd", ours),
    ):
        y = fn(*args)
        ways[title] = lambda y=y: torch.autograd.grad(
            y, args, grad, retain_graph=True
        )
    ways["kernel"] = lambda: norm_backward(grad, x, weight, mean, rstd)
    ms = {}
    for title, fn in ways.items():
        found = fn()
        ms[title] = median_ms(fn)
        print(f"{title} ms: {ms[title]:.4f}")
        part = 1.5 * copy / ms[title]  # a copy is two passes
        print(f"{title} of three passes: {part:.3f}")
        for what, a, b in zip(NAMES, found, truth):
            error = relative_error(a.float(), b.float())
            print(f"{title} d{what} relative error: {error:.1e}")
    part = 1.5 * copy / median_ms(
        lambda: norm_backward(grad, x, weight, mean, rstd, stages=1)
    )
    print(f"kernel, nothing ahead, of three passes: {part:.3f}")
    kernel, _ = ms.pop("kernel"), ms.pop("through autograd")
    best = min(ms, key=ms.get)
    print(f"fastest of the others: {best}")
    print(f"kernel over the fastest: {ms[best] / kernel:.2f}")
    for title in ("eager", "torch.compile"):
        print(f"kernel over {title}: {ms[title] / kernel:.2f}")
    fn = ways["kernel"]
    again = all(map(torch.equal, fn(), fn()))
    print(f"kernel, twice the same bits: {again}")

print("== by length of row ==")
for cols in LENGTHS:
    rows = x.numel() // cols
    wide, far = x.view(rows, cols), grad.view(rows, cols)
    scale = weight.repeat(4)[:cols]
    mean, rstd = torch.rand(2, rows, device="cuda")
    for name, centre in (("LayerNorm", mean), ("RMSNorm", None)):
        ms = median_ms(
            lambda: norm_backward(far, wide, scale, centre, rstd)
        )
        part = 1.5 * copy / ms
        print(f"COLS {cols} {name} of three passes: {part:.3f}")
# --8<-- [end:time]
