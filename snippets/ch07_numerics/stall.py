"""7.4: a running sum in three accumulator types, step by step."""

# /// capture
# differs = """The bfloat16 accumulator: the interpreter cuts after
# each step, so it stops growing at half the GPU's value."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
STEPS = 4096


# --8<-- [start:kernel]
@triton.jit
def running_sum_kernel(
    x_ptr,  # address of the input, n float32
    out_ptr,  # address of n of type ACC: the sum after each step
    n,  # how many elements there are
    ACC: tl.constexpr,  # the type of the accumulator
):
    total = tl.load(x_ptr).to(ACC)
    tl.store(out_ptr, total)
    for k in range(1, n):
        step = tl.load(x_ptr + k)
        total = (total.to(tl.float32) + step).to(ACC)
        tl.store(out_ptr + k, total)
# --8<-- [end:kernel]


TYPES = {
    torch.float32: tl.float32,
    torch.float16: tl.float16,
    torch.bfloat16: tl.bfloat16,
}


def running_sum(x, acc):
    """x[0], x[0] + x[1], ... with an accumulator of type acc."""
    if acc not in TYPES:
        raise TypeError(f"acc is {acc}, wanted one of {list(TYPES)}")
    if x.dtype != torch.float32:
        raise TypeError(f"x is {x.dtype}, wanted torch.float32")
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    if x.dim() != 1 or not x.is_contiguous():
        raise ValueError(
            f"x must be 1-D and contiguous: shape {tuple(x.shape)}, "
            f"strides {x.stride()}"
        )
    n = x.numel()
    out = torch.empty(n, dtype=acc, device=x.device)
    if n > 0:
        running_sum_kernel[(1,)](x, out, n, ACC=TYPES[acc])
    return out


if __name__ == "__main__":
    # --8<-- [start:demo]
    for step in (1.0, 0.1):
        print(f"== 7.4.1 steps of {step} ==")
        x = torch.full((STEPS,), step, device=DEVICE)
        print(f"exact after {STEPS}: {STEPS * step:.1f}")
        for acc in TYPES:
            name = str(acc).removeprefix("torch.")
            sums = running_sum(x, acc).tolist()
            for power in range(2, 13):
                after = 2**power
                print(f"{name} after {after}: {sums[after - 1]:.6g}")
            stops = 1 + sums.index(sums[-1])
            print(f"{name} changes last in step: {stops}")
    # --8<-- [end:demo]
