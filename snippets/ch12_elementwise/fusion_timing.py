"""12.2: eager, torch.compile, the fused kernel and a plain copy."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "* rate over copy" = { kind = "measured", within = 0.25 }
# "* time over copy" = { kind = "measured", within = 0.25 }
# "eager over fused" = { kind = "measured", within = 0.25 }
# [speed."relu(a * x + b), 2**28 float32"]
# library = "torch.compile"
# over_library = "[torch.compile ms] / [fused ms]"
# ceiling = "a copy"
# of_ceiling = "[fused rate over copy]"
# ///

import torch
import triton.testing

from ch12_elementwise.fma_relu import fused_fma_relu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**28
A, B = 1.1, -0.3


def eager(x):
    return torch.relu(A * x + B)


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


x = torch.randn(N, device=DEVICE)
out = torch.empty_like(x)
compiled = torch.compile(eager)
tensor = x.numel() * x.element_size()
print(f"elements: {N}")
print(f"bytes of x: {tensor}")

# --8<-- [start:time]
# name, what to run, how many times it moves the tensor's bytes
cases = [
    ("copy", lambda: out.copy_(x), 2),
    ("eager", lambda: eager(x), 6),
    ("torch.compile", lambda: compiled(x), 2),
    ("fused", lambda: fused_fma_relu(x, A, B), 2),
]
ms = {}
for name, fn, passes in cases:
    ms[name] = median_ms(fn)
    rate = passes * tensor / ms[name] / 1e6
    print(f"{name} bytes moved: {passes * tensor}")
    print(f"{name} ms: {ms[name]:.3f}")
    print(f"{name} GB/s: {rate:.0f}")
    if name == "copy":
        ceiling = rate
    print(f"{name} rate over copy: {rate / ceiling:.2f}")
    print(f"{name} time over copy: {ms[name] / ms['copy']:.2f}")
print(f"eager over fused: {ms['eager'] / ms['fused']:.2f}")
# --8<-- [end:time]

# Three results, three compilers: who agrees with whom?
ours, theirs = fused_fma_relu(x, A, B), compiled(x)
print(f"fused equals eager: {torch.equal(ours, eager(x))}")
print(f"fused equals torch.compile: {torch.equal(ours, theirs)}")
