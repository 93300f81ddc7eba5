"""20.4.2: time and memory of the loss, forward and backward, against
eager, torch.compile and Liger; and what the size of a chunk does."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.3 }
# "* peak MiB" = { kind = "measured", within = 0.1 }
# "* error" = { kind = "bound", limit = 0.2 }
# "chunks over *" = { kind = "measured", within = 0.3 }
# "products over chunks" = { kind = "measured", within = 0.3 }
# "three passes *" = { kind = "measured", within = 0.3 }
# "liger-kernel" = { kind = "volatile" }
# [speed."linear cross-entropy, forward and backward, bfloat16"]
# library = "torch.compile"
# over_library = "[a step | chunks over torch.compile]"
# ceiling = "its three products, by cuBLAS"
# of_ceiling = "[the parts | products over chunks]"
# [speed."linear cross-entropy against Liger, bfloat16"]
# library = "Liger"
# over_library = "[a step | chunks over Liger]"
# ceiling = "its three products, by cuBLAS"
# of_ceiling = "[the parts | products over chunks]"
# ///

import torch
import torch.nn.functional as F

from ch20_fused.contest import liger, liger_version
from ch20_fused.contest import median_ms, peak_mib
from ch20_fused.linear_cross_entropy import linear_cross_entropy
from ch20_fused.linear_cross_entropy import row_losses

TOKENS, DIM, VOCAB = 16384, 4096, 128256
CHUNKS = (512, 1024, 2048, 4096, 8192, 16384)


# --8<-- [start:ways]
torch.manual_seed(0)
x = torch.randn(TOKENS, DIM, device="cuda").bfloat16()
weight = torch.randn(VOCAB, DIM, device="cuda").bfloat16() / 64
target = torch.randint(VOCAB, (TOKENS,), device="cuda")
target[::10] = -100
x.requires_grad_()
weight.requires_grad_()


def eager():
    return F.cross_entropy(F.linear(x, weight), target)


losses = {
    "chunks": lambda: linear_cross_entropy(x, weight, target),
    "eager": eager,
    "torch.compile": torch.compile(eager),
}
theirs = liger(
    "liger_kernel.transformers.functional",
    "liger_fused_linear_cross_entropy",
)
losses["Liger"] = lambda: theirs(x, weight, target)


def some_ms(fn):
    return median_ms(fn, reps=6, warmup=2)


def step(loss):
    value = loss()
    return value.detach(), *torch.autograd.grad(value, (x, weight))
# --8<-- [end:ways]


# --8<-- [start:time]
print("== a step ==")
print("liger-kernel:", liger_version())
wide = [t.detach().float().requires_grad_() for t in (x, weight)]
truth = F.cross_entropy(F.linear(*wide), target)
truth = truth.detach(), *torch.autograd.grad(truth, wide)
del wide
for name, loss in losses.items():
    found = step(loss)
    for what, a, b in zip(("loss", "dx", "dweight"), found, truth):
        error = ((a - b).norm() / b.norm()).item()
        print(f"{name} {what} error: {error:.1e}")
    del found, a, b
del truth
ms = {name: [] for name in losses}
for _ in range(2):  # each twice, for the device gets warm
    for name, loss in losses.items():
        ms[name].append(some_ms(lambda: step(loss)))
for name, loss in losses.items():
    ms[name] = min(ms[name])
    print(f"{name} ms: {ms[name]:.2f}")
    print(f"{name} peak MiB: {peak_mib(lambda: step(loss)):.0f}")
for name in losses:
    if name != "chunks":
        print(f"chunks over {name}: {ms[name] / ms['chunks']:.3f}")

print("== the parts ==")
with torch.no_grad():
    logits = x @ weight.T
    row, count = torch.empty(TOKENS, device="cuda"), target.new_ones(1)
    other = torch.empty_like(logits)
    copy = median_ms(lambda: other.copy_(logits))
    del other
    rows = median_ms(
        lambda: row_losses(logits, target, row, count, -100, True)
    )
    dx, dweight = torch.empty_like(x), torch.empty_like(weight)

    def products():
        torch.mm(logits, weight, out=dx)
        torch.mm(logits.T, x, out=dweight)
        torch.mm(x, weight.T, out=logits)

    three = some_ms(products)
print(f"three products ms: {three:.2f}")
print(f"products over chunks: {three / ms['chunks']:.3f}")
print(f"loss and gradient of all rows ms: {rows:.2f}")
print(f"copy of the logits ms: {copy:.2f}")
print(f"three passes at its rate, over it: {1.5 * copy / rows:.3f}")
del logits, dx, dweight

print("== by chunk ==")
for chunk in CHUNKS:
    fn = lambda: step(
        lambda: linear_cross_entropy(x, weight, target, chunk)
    )
    print(f"CHUNK {chunk} ms: {some_ms(fn):.2f}")
    print(f"CHUNK {chunk} peak MiB: {peak_mib(fn):.0f}")
# --8<-- [end:time]
