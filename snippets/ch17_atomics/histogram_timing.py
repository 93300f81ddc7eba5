"""17.1.3: a gibibyte of numbers in bins: by how they are spread, and
by the number of bins, on a GPU."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# [labels]
# "* ms" = { kind = "measured", within = 0.3 }
# "* GB/s" = { kind = "measured", within = 0.3 }
# "* of a copy" = { kind = "measured", within = 0.3 }
# "* times as fast" = { kind = "measured", within = 0.35 }
# [speed."histogram, 2^28 int32, 256 bins"]
# library = "the better of torch.bincount and torch.histc"
# over_library = "[uniform | blocks times as fast]"
# ceiling = "a copy's rate"
# of_ceiling = "[uniform | blocks of a copy]"
# [speed."the same, nine tenths of it equal"]
# library = "the better of torch.bincount and torch.histc"
# over_library = "[skewed | blocks times as fast]"
# ceiling = "a copy's rate"
# of_ceiling = "[skewed | blocks of a copy]"
# ///

import torch
import triton
import triton.testing

from ch17_atomics.histogram import MOST_BINS, count_blocks, count_each

N = 2**28
BINS = 256
COPIES = 1024  # of the counts
COUNTERS = 2**18  # at most, where there are more bins


def median_ms(fn, rep=60):
    quantiles = [0.5, 0.2, 0.8]
    return triton.testing.do_bench(
        fn, warmup=10, rep=rep, quantiles=quantiles
    )[0]


# --8<-- [start:time]
torch.manual_seed(0)
uniform = torch.randint(0, BINS, (N,), device="cuda")
uniform = uniform.to(torch.int32)
sevens = torch.full_like(uniform, 7)
most = torch.rand(N, device="cuda") < 0.9
skewed = torch.where(most, sevens, uniform)
del most
out = torch.empty_like(uniform)
size = 4 * N
chip = triton.runtime.driver.active.utils.get_device_properties(0)
print(f"multiprocessors: {chip['multiprocessor_count']}")
print(f"clock MHz: {chip['sm_clock_rate'] // 1000}")
copy = median_ms(lambda: out.copy_(uniform))
ceiling = 2 * size / copy / 1e6
print(f"bytes of x: {size}")
print(f"copy GB/s: {ceiling:.0f}")
cases = {
    "bincount": lambda x: torch.bincount(x, minlength=BINS),
    "histc": lambda x: torch.histc(x, BINS, 0, BINS - 1),
    "each": lambda x: count_each(x, BINS),
    "copies": lambda x: count_each(x, BINS, COPIES),
    "blocks": lambda x: count_blocks(x, BINS),
}
for spread, x in [
    ("uniform", uniform),
    ("skewed", skewed),
    ("all 7", sevens),
]:
    print(f"== {spread} ==")
    right = torch.bincount(x, minlength=BINS)
    ms = {}
    for name, fn in cases.items():
        counts = fn(x).long()
        ms[name] = median_ms(lambda: fn(x))
        rate = size / ms[name] / 1e6
        print(f"{name} right: {torch.equal(counts, right)}")
        print(f"{name} ms: {ms[name]:.3f}")
        print(f"{name} GB/s: {rate:.0f}")
        print(f"{name} of a copy: {rate / ceiling:.3f}")
    best = min(ms["bincount"], ms["histc"])
    print(f"blocks times as fast: {best / ms['blocks']:.2f}")
    ms = median_ms(lambda: count_each(x, BINS, sem="acq_rel"))
    print(f"each in default order ms: {ms:.3f}")
# --8<-- [end:time]

# --8<-- [start:bins]
print("== by number of bins ==")
x = uniform[: N // 4]
print(f"bytes of x: {x.numel() * 4}")
for bins in (16, 64, 256, 1024, 4096, 65536, 2**20):
    x.random_(0, bins)
    right = torch.bincount(x, minlength=bins)
    copies = max(1, min(COPIES, COUNTERS // bins))
    methods = {
        "each": lambda: count_each(x, bins),
        "copies": lambda: count_each(x, bins, copies),
        "blocks": lambda: count_blocks(x, bins),
    }
    if bins > MOST_BINS:
        del methods["blocks"]
    for name, fn in methods.items():
        same = torch.equal(fn().long(), right)
        rate = size / 4 / median_ms(fn, 20) / 1e6
        print(f"BINS {bins} {name} GB/s: {rate:.0f}")
        print(f"BINS {bins} {name} right: {same}")
    ms = median_ms(lambda: torch.bincount(x, minlength=bins), 20)
    print(f"BINS {bins} bincount GB/s: {size / 4 / ms / 1e6:.0f}")
# --8<-- [end:bins]
