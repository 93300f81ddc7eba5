"""17.5 on a GPU: products with a long K against torch.matmul and a
plain copy, by way and by number of splits, and their bits."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* us" = { kind = "measured", within = 0.3 }
# "* ms" = { kind = "measured", within = 0.3 }
# "copy GB/s" = { kind = "measured", within = 0.3 }
# "* of a copy" = { kind = "measured", within = 0.3 }
# "* over torch" = { kind = "measured", within = 0.35 }
# "* error" = { kind = "bound", limit = 2e-2 }
# "atomic, different products" = { kind = "bound", limit = 100 }
# "atomic, elements that vary" = { kind = "bound", limit = 16384 }
# [speed."split-K, 64 x 2^21 by 2^21 x 64 bf16"]
# library = "torch.matmul"
# over_library = "[64 x 64 | parts over torch]"
# ceiling = "a copy's rate"
# of_ceiling = "[64 x 64 | parts of a copy]"
# [speed."split-K, 128 x 2^20 by 2^20 x 128 bf16"]
# library = "torch.matmul"
# over_library = "[128 x 128 | parts over torch]"
# ceiling = "a copy's rate"
# of_ceiling = "[128 x 128 | parts of a copy]"
# [speed."split-K, 256 x 2^19 by 2^19 x 256 bf16"]
# library = "torch.matmul"
# over_library = "[256 x 256 | parts over torch]"
# ceiling = "a copy's rate"
# of_ceiling = "[256 x 256 | parts of a copy]"
# [speed."split-K, 64 x 2^18 by 2^18 x 64 bf16, in a graph"]
# library = "torch.matmul, in a graph"
# over_library = "[64 x 64, K 262144 parts over torch]"
# ceiling = "a copy's rate"
# of_ceiling = "[64 x 64, K 262144 parts of a copy]"
# ///

import torch
import triton.testing

from ch17_atomics.atomic_sum import different
from ch17_atomics.split_k import split_matmul

ELEMENTS = 2**28  # of both factors together
RUNS = 100
# rows and columns of out: tile, splits, warps, stages
CASES = {
    64: ((64, 64, 64), 132, 4, 6),
    128: ((128, 128, 64), 132, 4, 4),
    256: ((128, 256, 64), 66, 8, 3),
}


def median_ms(fn):
    return triton.testing.do_bench(
        fn, warmup=10, rep=60, quantiles=[0.5, 0.2, 0.8]
    )[0]


def factors(k, size):
    torch.manual_seed(0)
    x = torch.randn(k, size, device="cuda", dtype=torch.bfloat16)
    g = torch.randn(k, size, device="cuda", dtype=torch.bfloat16)
    return x, g


def product(x, g, size, splits=None, way="parts", **options):
    tile, many, warps, stages = CASES[size]
    return split_matmul(
        x.T, g, tile, splits or many, way,
        num_warps=warps, num_stages=stages, **options,
    )  # fmt: skip


# --8<-- [start:time]
x = torch.empty(2**28, device="cuda")
out = torch.empty_like(x)
copy = 2 * 4 * x.numel() / median_ms(lambda: out.copy_(x)) / 1e6
del x, out
print(f"copy GB/s: {copy:.0f}")
for size in CASES:
    k = ELEMENTS // (2 * size)
    x, g = factors(k, size)
    print(f"== {size} x {size} ==")
    print(f"terms: {k}")
    exact = torch.zeros(size, size, device="cuda", dtype=torch.float64)
    for some_x, some_g in zip(x.chunk(16), g.chunk(16)):
        exact += some_x.T.double() @ some_g.double()
    cases = {
        "torch": lambda: x.T @ g,
        "one split": lambda: product(x, g, size, 1),
        "atomic": lambda: product(x, g, size, way="atomic"),
        "parts": lambda: product(x, g, size),
        "parts, 16 at once": lambda: product(
            x, g, size, second=(128, 16)
        ),
        "last": lambda: product(x, g, size, way="last"),
    }
    ms = {}
    for name, fn in cases.items():
        error = (fn().double() - exact).abs().max()
        print(f"{name} error: {error / exact.abs().max():.1e}")
        ms[name] = median_ms(fn)
        rate = 2 * ELEMENTS / ms[name] / 1e6
        print(f"{name} ms: {ms[name]:.4f}")
        print(f"{name} of a copy: {rate / copy:.3f}")
        print(f"{name} over torch: {ms['torch'] / ms[name]:.3f}")
# --8<-- [end:time]

print("== how many splits ==")
# --8<-- [start:sweep]
x, g = factors(2**20, 128)
for splits in (1, 4, 16, 66, 132, 264, 528):
    for way in ("atomic", "parts", "last"):
        ms = median_ms(lambda: product(x, g, 128, splits, way))
        print(f"SPLITS {splits} {way} ms: {ms:.4f}")
# --8<-- [end:sweep]

print("== a shorter K, in a CUDA graph ==")


# --8<-- [start:graph]
def graph_us(fn, pairs):
    """Microseconds of one product, of many in one CUDA graph."""
    fn(*pairs[0])  # compile it first
    torch.cuda.synchronize()
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        kept = [fn(x, g) for x, g in pairs]
    us = 1e3 * median_ms(graph.replay) / len(pairs)
    del kept
    return us


for size, k, splits in [
    (64, 2**12, 66),
    (64, 2**14, 66),
    (64, 2**16, 66),
    (64, 2**18, 132),
    (256, 2**12, 33),
    (256, 2**18, 66),
]:
    total = 2 * 2 * size * k  # bytes of both factors
    many = max(4, min(64, 2**28 // total))  # more than the L2 holds
    pairs = [factors(k, size) for _ in range(many)]
    theirs = graph_us(lambda x, g: x.T @ g, pairs)
    ours = graph_us(lambda x, g: product(x, g, size, splits), pairs)
    name = f"{size} x {size}, K {k}"
    print(f"{name} torch us: {theirs:.2f}")
    print(f"{name} parts us: {ours:.2f}")
    print(f"{name} parts over torch: {theirs / ours:.3f}")
    rate = total / ours / 1e3
    print(f"{name} parts of a copy: {rate / copy:.3f}")
# --8<-- [end:graph]

print("== the same bits ==")
# --8<-- [start:bits]
x, g = factors(2**17, 128)
cases = {"torch": lambda: x.T @ g}
for way in ("atomic", "parts", "last"):
    cases[way] = lambda way=way: product(x, g, 128, way=way)
print(f"runs: {RUNS}")
for name, fn in cases.items():
    products = [fn() for _ in range(RUNS)]
    bits = [one.view(torch.int16) for one in products]
    print(f"{name}, different products: {different(bits)}")
    if name == "atomic":
        vary = torch.stack(bits).ne(bits[0]).any(0).sum()
        print(f"{name}, elements that vary: {vary.item()}")
# --8<-- [end:bits]
