"""17.2.3: sums of 2^24 floats, 200 times each, on a GPU."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# [labels]
# "*, different sums" = { kind = "bound", limit = 200 }
# "*, largest error" = { kind = "bound", limit = 1e-1 }
# "* ms" = { kind = "measured", within = 0.3 }
# "copy GB/s" = { kind = "measured", within = 0.3 }
# "* of a copy" = { kind = "measured", within = 0.3 }
# [speed."sum of 2^28 float32, last arriver"]
# library = "torch.sum"
# over_library = "[torch.sum ms] / [last arriver ms]"
# ceiling = "a copy's rate"
# of_ceiling = "[last arriver of a copy]"
# ///

import torch
import triton.testing

from ch17_atomics.atomic_sum import ONE, different, sum_atomic
from ch17_atomics.last import sum_last

N = 2**24
BIG = 2**28
RUNS = 200


def median_ms(fn):
    return triton.testing.do_bench(
        fn, warmup=10, rep=60, quantiles=[0.5, 0.2, 0.8]
    )[0]


# --8<-- [start:demo]
torch.manual_seed(0)
x = torch.randn(N, device="cuda")
place = torch.arange(N, device="cuda") % 1024
exact = x.double().sum().item()
cases = {
    "floats by atomics": lambda x: sum_atomic(x, block=1024),
    "fixed point by atomics": lambda x: sum_atomic(x, True, 1024),
    "last arriver": sum_last,
    "torch.sum": torch.sum,
}
print(f"runs: {RUNS}")
for name, fn in cases.items():
    sums = [fn(x) for _ in range(RUNS)]
    print(f"{name}, different sums: {different(sums)}")
    unit = ONE if sums[0].dtype == torch.int64 else 1
    worst = max(abs(s.item() / unit - exact) for s in sums)
    print(f"{name}, largest error: {worst:.1e}")
sums = [x.new_zeros(1024).index_add_(0, place, x) for _ in range(RUNS)]
print(f"index_add_, different sums: {different(sums)}")
torch.use_deterministic_algorithms(True)
sums = [x.new_zeros(1024).index_add_(0, place, x) for _ in range(RUNS)]
torch.use_deterministic_algorithms(False)
print(f"index_add_, told to, different sums: {different(sums)}")
# --8<-- [end:demo]

# --8<-- [start:time]
x = torch.randn(BIG, device="cuda")
out = torch.empty_like(x)
copy = 2 * 4 * BIG / median_ms(lambda: out.copy_(x)) / 1e6
print(f"copy GB/s: {copy:.0f}")
cases["floats, 8192 each"] = lambda x: sum_atomic(x, block=8192)
cases["fixed point, 8192 each"] = lambda x: sum_atomic(x, True, 8192)
for name, fn in cases.items():
    ms = median_ms(lambda: fn(x))
    print(f"{name} ms: {ms:.3f}")
    print(f"{name} of a copy: {4 * BIG / ms / 1e6 / copy:.3f}")
# --8<-- [end:time]
