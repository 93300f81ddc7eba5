"""13.5.3: sizes that TMA cannot read, against the clock."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* TFLOP/s" = { kind = "measured", within = 0.3 }
# "* us" = { kind = "measured", within = 0.6 }
# "* of torch" = { kind = "measured", within = 0.25 }
# [speed."matmul, 4095 x 4095 x 4095 bfloat16"]
# library = "torch.matmul"
# over_library = "[4095 x 4095 times 4095 x 4095 | multiply of torch]"
# ceiling = "torch.matmul at 4096"
# of_ceiling = """\
#   [4095 x 4095 times 4095 x 4095 | multiply TFLOP/s] / \
#   [4096 x 4096 times 4096 x 4096 | torch TFLOP/s]"""
# ///

import torch
import triton.testing

from ch13_matmul.grouped import matmul_grouped
from ch13_matmul.multiply import multiply


def median_ms(fn):
    return triton.testing.do_bench(
        fn, warmup=10, rep=40, quantiles=[0.5, 0.2, 0.8]
    )[0]


# --8<-- [start:time]
for m, n, k in (
    (4096, 4096, 4096),
    (4095, 4096, 4096),
    (4096, 4095, 4096),
    (4096, 4096, 4095),
    (4095, 4095, 4095),
    (4104, 4104, 4104),
    (8191, 8191, 8191),
):
    print(f"== {m} x {k} times {k} x {n} ==")
    torch.manual_seed(0)
    a = torch.randn(m, k, device="cuda").bfloat16()
    b = torch.randn(k, n, device="cuda").bfloat16()
    truth = a.float() @ b.float()
    cases = {
        "torch": lambda: a @ b,
        "pointers": lambda: matmul_grouped(a, b),
        "multiply": lambda: multiply(a, b),
    }
    for name, fn in cases.items():
        error = (fn() - truth).abs().max() / truth.abs().max()
        assert error < 0.01, (name, error)
        rate = 2 * m * n * k / 1e9 / median_ms(fn)
        if name == "torch":
            library = rate
        print(f"{name} TFLOP/s: {rate:.0f}")
        print(f"{name} of torch: {rate / library:.2f}")

print("== 1024, a launch and all ==")
a = torch.randn(1024, 1024, device="cuda").bfloat16()
for name, fn in {
    "torch": lambda: a @ a,
    "pointers": lambda: multiply(a, a),
    "descriptors": lambda: multiply(a, a, small=0),
}.items():
    print(f"{name} us: {1000 * median_ms(fn):.0f}")
# --8<-- [end:time]
