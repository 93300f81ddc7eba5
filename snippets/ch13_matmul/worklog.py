"""13.6: every step of the chapter against cuBLAS. Between any two
measurements cuBLAS is measured again, on a device that is warm."""

# /// capture
# runners = ["gpu"]
# timeout = 500
# [labels]
# "* TFLOP/s" = { kind = "measured", within = 0.3 }
# "* of cuBLAS" = { kind = "measured", within = 0.2 }
# "chosen *" = { kind = "measured", within = 0.2 }
# [speed."matmul, 4096 x 4096 x 4096 bfloat16"]
# library = "torch.matmul"
# over_library = "[4096 | chosen over cuBLAS]"
# ceiling = "cuBLAS at 4096, cool"
# of_ceiling = "[4096 | chosen over cool cuBLAS]"
# [speed."matmul, 8192 x 8192 x 8192 bfloat16"]
# library = "torch.matmul"
# over_library = "[8192 | chosen over cuBLAS]"
# ceiling = "cuBLAS at 4096, cool"
# of_ceiling = "[8192 | chosen over cool cuBLAS]"
# ///

import time
from statistics import median

import torch
import triton.testing

from ch11_hardware.matmul import matmul
from ch13_matmul.descriptors import matmul_descriptors
from ch13_matmul.grouped import matmul_grouped
from ch13_matmul.naive import matmul_elements
from ch13_matmul.persistent import matmul_persistent
from ch13_matmul.specialized import matmul_specialized

CHOSEN = "in halves, four stages"

# --8<-- [start:steps]
def steps(a, b):
    """The worklog: a name, and the product that way."""
    wide, wider = (128, 256, 32), (128, 256, 64)
    eight = {"num_warps": 8, "num_stages": 3}
    return {
        "tiles of 64 x 64": lambda: (
            matmul(a, b, (64, 64, 32), num_warps=4)[0]
        ),
        "tiles of 128 x 256": lambda: matmul(a, b, wide, **eight)[0],
        "64 terms a step": lambda: matmul(a, b, wider, **eight)[0],
        "pointers that walk": lambda: matmul_grouped(a, b, group=1),
        "groups of 8": lambda: matmul_grouped(a, b),
        "descriptors": lambda: matmul_descriptors(a, b),
        "persistent": lambda: matmul_persistent(
            a, b, parts=1, num_stages=3, flatten=False
        ),
        "one loop": lambda: matmul_persistent(
            a, b, parts=1, num_stages=3
        ),
        "in halves, four stages": lambda: matmul_persistent(a, b),
        "a warp that loads": lambda: matmul_specialized(a, b),
    }
# --8<-- [end:steps]


# --8<-- [start:time]
def median_ms(fn, rep=30):
    return triton.testing.do_bench(
        fn, warmup=5, rep=rep, quantiles=[0.5, 0.2, 0.8]
    )[0]


def warm_up(fn, seconds=1.0):
    end = time.time() + seconds
    while time.time() < end:
        for _ in range(10):
            fn()
        torch.cuda.synchronize()


def cool(fn):
    """A few launches after a rest."""
    torch.cuda.synchronize()
    time.sleep(0.25)
    return triton.testing.do_bench(
        fn, warmup=1, rep=4, quantiles=[0.5, 0.2, 0.8]
    )[0]


def compare(works, measure, rounds, operations):
    """Each between two measurements of cuBLAS."""
    rates = {name: [] for name in works}
    ratios = {name: [] for name in works}
    library = []
    before = measure(works["cuBLAS"])
    for _ in range(rounds):
        for name, fn in works.items():
            ms = measure(fn)
            after = measure(works["cuBLAS"])
            rates[name].append(operations / ms)
            ratios[name].append((before + after) / 2 / ms)
            library.append(operations / after)
            before = after
    for name in works:
        print(f"{name} TFLOP/s: {median(rates[name]):.0f}")
        print(f"{name} of cuBLAS: {median(ratios[name]):.3f}")
    print(f"slowest cuBLAS TFLOP/s: {min(library):.0f}")
    print(f"fastest cuBLAS TFLOP/s: {max(library):.0f}")
    return median(rates[CHOSEN]), median(ratios[CHOSEN]), library


for size in (4096, 8192):
    torch.manual_seed(0)
    a = torch.randn(size, size, device="cuda").bfloat16()
    b = torch.randn(size, size, device="cuda").bfloat16()
    operations = 2 * size**3 / 1e9
    works = steps(a, b) | {"cuBLAS": lambda: a @ b}
    truth = a.double() @ b.double()
    for name, fn in works.items():
        error = (fn() - truth).abs().max() / truth.abs().max()
        assert error < 0.01, (name, error)
    if size == 4096:
        print("== 4096, cool ==")
        ms = triton.testing.do_bench(
            lambda: matmul_elements(a, b, 512), warmup=1, rep=1
        )
        print(f"one element each TFLOP/s: {operations / ms:.2f}")
        fastest = max(compare(works, cool, 1, operations)[2])
    print(f"== {size} ==")
    warm_up(works["cuBLAS"])
    rate, ratio, _ = compare(works, median_ms, 3, operations)
    print(f"chosen over cuBLAS: {ratio:.3f}")
    print(f"chosen over cool cuBLAS: {rate / fastest:.3f}")
# --8<-- [end:time]
