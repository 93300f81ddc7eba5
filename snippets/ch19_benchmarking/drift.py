"""19.1.6: a kernel against itself, twelve candidates in a row and
then in turn."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* TFLOP/s" = { kind = "measured", within = 0.2 }
# "* over *" = { kind = "measured", within = 0.15 }
# ///

import statistics
import time

import torch
import triton.testing

from ch13_matmul.persistent import matmul_persistent

SIZE = 8192
CANDIDATES = 12

# --8<-- [start:row]
torch.manual_seed(0)
a = torch.randn(SIZE, SIZE, device="cuda").bfloat16()
b = torch.randn(SIZE, SIZE, device="cuda").bfloat16()
fn = lambda: matmul_persistent(a, b)


def rate():
    ms = triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]
    return 2 * SIZE**3 / ms / 1e9


fn()  # compiles
torch.cuda.synchronize()
time.sleep(3)  # you read the last result
print("== 19.1.6 one after the other ==")
rates = [rate() for _ in range(CANDIDATES)]
for number, seen in enumerate(rates, 1):
    print(f"candidate {number} TFLOP/s: {seen:.0f}")
print(f"first over last: {rates[0] / rates[-1]:.3f}")
# --8<-- [end:row]

# --8<-- [start:turns]
print("== 19.1.6 in turn ==")
ratios = []
for number in range(9):
    pair = [rate(), rate()]
    if number % 2:  # and who begins changes, too
        pair.reverse()
    ratios.append(pair[0] / pair[1])
print(f"median over nine: {statistics.median(ratios):.3f}")
print(f"smallest over nine: {min(ratios):.3f}")
print(f"largest over nine: {max(ratios):.3f}")
# --8<-- [end:turns]
