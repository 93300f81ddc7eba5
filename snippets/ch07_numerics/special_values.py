"""7.6: NaN, infinity and -0.0 through comparisons and maxima."""

# /// capture
# differs = """tl.maximum and tl.clamp: NumPy's keep a NaN, the GPU's
# instructions prefer the number."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
NAMES = ["x < 1", "x > 1", "x == x", "x != x", "x - x", "0 * x"]
NAMES += ["tl.where(x > 1, x, 1)", "tl.where(x < 1, 1, x)"]
NAMES += ["tl.maximum(x, 1)", "tl.minimum(x, 1)"]
NAMES += ["tl.clamp(x, -1, 1)", "tl.exp(x)", "tl.sqrt(x)"]


# --8<-- [start:kernel]
@triton.jit
def special_kernel(
    x_ptr,  # address of the input, n float32
    out_ptr,  # address of 13 rows of n float32
    sums_ptr,  # address of the largest, the smallest, the sum
    n,  # how many elements there are, at most BLOCK
    one,  # 1.0
    BLOCK: tl.constexpr,  # lanes, a power of two
):
    lanes = tl.arange(0, BLOCK)
    mask = lanes < n
    x = tl.load(x_ptr + lanes, mask=mask, other=0.0)
    out = out_ptr + lanes
    tl.store(out + 0 * n, (x < one).to(tl.float32), mask=mask)
    tl.store(out + 1 * n, (x > one).to(tl.float32), mask=mask)
    tl.store(out + 2 * n, (x == x).to(tl.float32), mask=mask)
    tl.store(out + 3 * n, (x != x).to(tl.float32), mask=mask)
    tl.store(out + 4 * n, x - x, mask=mask)
    tl.store(out + 5 * n, 0.0 * x, mask=mask)
    tl.store(out + 6 * n, tl.where(x > one, x, one), mask=mask)
    tl.store(out + 7 * n, tl.where(x < one, one, x), mask=mask)
    tl.store(out + 8 * n, tl.maximum(x, one), mask=mask)
    tl.store(out + 9 * n, tl.minimum(x, one), mask=mask)
    tl.store(out + 10 * n, tl.clamp(x, -one, one), mask=mask)
    tl.store(out + 11 * n, tl.exp(x), mask=mask)
    tl.store(out + 12 * n, tl.sqrt(x), mask=mask)
    tl.store(sums_ptr, tl.max(x, axis=0))
    tl.store(sums_ptr + 1, tl.min(x, axis=0))
    tl.store(sums_ptr + 2, tl.sum(x, axis=0))
# --8<-- [end:kernel]


print("== 7.6.1 element by element ==")
# --8<-- [start:demo]
nan, inf = float("nan"), float("inf")
x = torch.tensor([nan, inf, -inf, -0.0], device=DEVICE)
n = x.numel()
out = torch.empty(len(NAMES), n, device=DEVICE)
sums = torch.empty(3, device=DEVICE)
special_kernel[(1,)](x, out, sums, n, 1.0, BLOCK=4)
print(f"x: {x.tolist()}")
for name, row in zip(NAMES, out.tolist()):
    print(f"{name}: {row}")
# --8<-- [end:demo]

print("== 7.6.1 reductions ==")
# --8<-- [start:reductions]
for title, numbers in (
    ("with NaN", [2.0, nan, -3.0, 1.0]),
    ("all NaN", [nan, nan, nan, nan]),
    ("with inf and -inf", [2.0, inf, -inf, 1.0]),
):
    x = torch.tensor(numbers, device=DEVICE)
    special_kernel[(1,)](x, out, sums, n, 1.0, BLOCK=4)
    for name, value in zip(("max", "min", "sum"), sums.tolist()):
        print(f"{title}, tl.{name}: {value}")
        reduced = getattr(x, name)().item()
        print(f"{title}, torch.{name}: {reduced}")
# --8<-- [end:reductions]
