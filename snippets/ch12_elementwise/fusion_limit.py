"""12.2: what fusing two kernels gains as each one computes more."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "copy ms" = { kind = "measured", within = 0.25 }
# "STEPS * ms" = { kind = "measured", within = 0.25 }
# "STEPS * gain" = { kind = "measured", within = 0.25 }
# "STEPS * copies" = { kind = "measured", within = 0.25 }
# ///

import torch
import triton
import triton.language as tl
import triton.testing

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**28
BLOCK = 1024


# --8<-- [start:kernel]
@triton.jit
def steps_kernel(
    x_ptr,  # address of the input, float32
    out_ptr,  # address of the output
    n,  # how many elements there are
    STEPS: tl.constexpr,  # how often the polynomial is applied
    BLOCK: tl.constexpr,  # elements per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    y = tl.load(x_ptr + offsets, mask=mask)
    for _ in range(STEPS):
        y = (3.7 - 3.7 * y) * y  # stays between 0 and 1
    tl.store(out_ptr + offsets, y, mask=mask)
# --8<-- [end:kernel]


def apply(x, out, steps):
    n = x.numel()
    grid = (triton.cdiv(n, BLOCK),)
    steps_kernel[grid](x, out, n, STEPS=steps, BLOCK=BLOCK)


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


x = torch.rand(N, device=DEVICE)
between = torch.empty_like(x)
chain = torch.empty_like(x)
fused = torch.empty_like(x)


# --8<-- [start:time]
def two_kernels(steps):
    apply(x, between, steps)
    apply(between, chain, steps)


print(f"elements: {N}")
print(f"bytes, two kernels: {4 * N * x.element_size()}")
print(f"bytes, one kernel: {2 * N * x.element_size()}")
copy = median_ms(lambda: fused.copy_(x))
print(f"copy ms: {copy:.3f}")
for steps in (1, 8, 32, 128):
    name = f"STEPS {steps}"
    two = median_ms(lambda: two_kernels(steps))
    one = median_ms(lambda: apply(x, fused, 2 * steps))
    print(f"{name} two kernels ms: {two:.3f}")
    print(f"{name} one kernel ms: {one:.3f}")
    print(f"{name} one kernel in copies: {one / copy:.2f}")
    print(f"{name} gain: {two / one:.2f}")
    print(f"{name} same bits: {torch.equal(chain, fused)}")
# --8<-- [end:time]
