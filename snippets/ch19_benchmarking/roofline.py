"""19.3: a roof of three measurements, and a kernel that climbs it."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "copy TB/s" = { kind = "measured", within = 0.15 }
# "* peak TFLOP/s" = { kind = "measured", within = 0.25 }
# "* ridge" = { kind = "measured", within = 0.3 }
# "at * FLOP/byte" = { kind = "measured", within = 0.25 }
# "* of the roof" = { kind = "measured", within = 0.25 }
# "* ms" = { kind = "measured", within = 0.25 }
# [speed."a chain of 16 multiply-adds, 2^27 float32"]
# library = "torch.addcmul, 16 times"
# over_library = "[addcmul ms] / [chain ms]"
# ceiling = "the roof"
# of_ceiling = "[16 steps of the roof]"
# ///

import time
from concurrent.futures import ThreadPoolExecutor

import torch
import triton
import triton.language as tl
import triton.testing

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def fma_chain_kernel(
    x_ptr,  # address of x[0], float32
    out_ptr,  # address of out[0], float32
    n,  # how many elements both have
    STEPS: tl.constexpr,  # multiply-adds for each element
    BLOCK: tl.constexpr,  # elements of one program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    y = x
    for _ in tl.range(0, STEPS, loop_unroll_factor=16):
        y = y * x + 0.5  # one instruction, two operations
    tl.store(out_ptr + offsets, y, mask=mask)
# --8<-- [end:kernel]


def fma_chain(x, steps, block=1024):
    """steps multiply-adds on each element of a float32 x."""
    if x.dtype != torch.float32 or not x.is_contiguous():
        raise ValueError(
            f"x is {x.dtype} with strides {x.stride()}, "
            "wanted contiguous float32"
        )
    out = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        grid = (triton.cdiv(n, block),)
        fma_chain_kernel[grid](x, out, n, STEPS=steps, BLOCK=block)
    return out


# --8<-- [start:ceilings]
def time_ms(fn):
    return triton.testing.do_bench(
        fn, warmup=5, rep=25, quantiles=[0.5, 0.2, 0.8]
    )[0]


def cool_ms(fn):
    """After a rest: the tensor cores draw more power than the chip
    may have for long."""
    torch.cuda.synchronize()
    time.sleep(0.25)
    return time_ms(fn)


def ceilings():
    """The rates of a copy in TB/s, and in TFLOP/s of float32
    multiply-adds and of a bfloat16 product."""
    x = torch.rand(2**28, device="cuda") / 2
    out = torch.empty_like(x)
    copy = 8 * x.numel() / time_ms(lambda: out.copy_(x)) / 1e9
    x = x[: 2**26]
    ms = time_ms(lambda: fma_chain(x, 4096))
    float32 = 2 * 4096 * x.numel() / ms / 1e9
    a, b = torch.randn(2, 8192, 8192, device="cuda").bfloat16()
    bfloat16 = 2 * 8192**3 / cool_ms(lambda: a @ b) / 1e9
    return copy, float32, bfloat16
# --8<-- [end:ceilings]


# --8<-- [start:roof]
def roof(intensity, copy, peak):
    """TFLOP/s that nothing exceeds which moves that few bytes."""
    return min(copy * intensity, peak)
# --8<-- [end:roof]


# --8<-- [start:point]
def show_points(groups):
    """A line for each kernel: where it stands under the roof.
    Returns the ceilings."""
    cases = [case for group in groups.values() for case in group]
    with ThreadPoolExecutor(8) as pool:  # compile them side by side
        list(pool.map(lambda case: case[-1](), cases))
    torch.cuda.synchronize()
    copy, float32, bfloat16 = ceilings()
    print("== ceilings ==")
    print(f"copy TB/s: {copy:.3f}")
    print(f"float32 TOP/s: {float32:.1f}")
    print(f"bfloat16 TOP/s: {bfloat16:.0f}")
    for title, group in groups.items():
        print(f"== {title} ==")
        for name, operations, size, tensor_cores, fn in group:
            intensity = operations / size
            ms = cool_ms(fn) if tensor_cores else time_ms(fn)
            rate = operations / ms / 1e9
            peak = bfloat16 if tensor_cores else float32
            part = rate / roof(intensity, copy, peak)
            print(
                f"{name}: {part:.3f} of its roof, "
                f"operations/byte {intensity:.4g}, TOP/s {rate:.4g}"
            )
    return copy, float32, bfloat16
# --8<-- [end:point]


if __name__ == "__main__":
    # --8<-- [start:measure]
    copy, float32, bfloat16 = ceilings()
    chip = triton.runtime.driver.active.utils.get_device_properties(0)
    lanes = 128 * chip["multiprocessor_count"]
    counted = 2 * lanes * chip["sm_clock_rate"] / 1e9
    print("== ceilings ==")
    print(f"float32 TFLOP/s at the top clock: {counted:.1f}")
    print(f"copy TB/s: {copy:.3f}")
    print(f"float32 peak TFLOP/s: {float32:.1f}")
    print(f"bfloat16 peak TFLOP/s: {bfloat16:.0f}")
    print(f"float32 ridge: {float32 / copy:.1f} FLOP/byte")
    print(f"bfloat16 ridge: {bfloat16 / copy:.0f} FLOP/byte")
    # --8<-- [end:measure]
    print("== a chain of multiply-adds ==")
    # --8<-- [start:climb]
    x = torch.rand(2**27, device="cuda") / 2
    for steps in (1, 2, 4, 8, 16, 32, 64, 128, 256, 1024):
        intensity = 2 * steps / 8  # 4 bytes read, 4 written
        ms = time_ms(lambda: fma_chain(x, steps))
        rate = 2 * steps * x.numel() / ms / 1e9
        part = rate / roof(intensity, copy, float32)
        print(f"at {intensity} FLOP/byte: {rate:.2f} TFLOP/s")
        print(f"{steps} steps of the roof: {part:.2f}")
    # --8<-- [end:climb]
    print("== sixteen steps ==")
    half = torch.full_like(x, 0.5)

    def in_a_loop(y):
        for _ in range(16):
            y = torch.addcmul(half, y, x)
        return y

    print(f"addcmul ms: {time_ms(lambda: in_a_loop(x)):.3f}")
    print(f"chain ms: {time_ms(lambda: fma_chain(x, 16)):.3f}")
