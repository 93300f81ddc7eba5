"""17.2.2: one sum to which all programs add, in floats and in fixed
point, computed again and again."""

# /// capture
# differs = """
# The interpreter runs the programs one after another, so floats are
# added in one order; on a GPU they come as they come."""
# [labels]
# # torch.randn has other low bits on a CPU with other vectors.
# "fixed point, sum of 8192" = { kind = "volatile" }
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SUM_BLOCK = 256
PROGRAMS = 4096 if DEVICE == "cuda" else 32
RUNS = 20
ONE = 2.0**32  # what stands for 1 in fixed point


# --8<-- [start:kernel]
@triton.jit
def sum_atomic_kernel(
    x_ptr,  # address of x[0], float32
    out_ptr,  # address of the sum, 0 before: float32 or int64
    n,  # elements of x
    one,  # what stands for 1 in fixed point, a power of two
    FIXED: tl.constexpr,  # add in fixed point
    BLOCK: tl.constexpr,  # elements of this program
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    if FIXED:
        units = x * one  # exact: only the exponent changes
        whole = tl.floor(units)
        x = whole.to(tl.int64) + (units - whole >= 0.5)
    tl.atomic_add(out_ptr, tl.sum(x), sem="relaxed")
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def check_vector(x: torch.Tensor) -> None:
    if x.dtype != torch.float32:
        raise TypeError(f"x is {x.dtype}, wanted torch.float32")
    if x.device.type != DEVICE or not x.is_contiguous():
        raise ValueError(
            f"need x contiguous on {DEVICE}, got {x.device}, "
            f"strides {x.stride()}"
        )
    if x.numel() > 2**30:
        raise ValueError(f"need n <= {2**30}, got {x.numel()}")


def sum_atomic(x, fixed=False, block=SUM_BLOCK):
    """The sum of x, a float32, or an int64 that counts 1 / ONE."""
    check_vector(x)
    dtype = torch.int64 if fixed else torch.float32
    out = torch.zeros((), dtype=dtype, device=x.device)
    grid = (triton.cdiv(x.numel(), block),)
    if x.numel() > 0:
        sum_atomic_kernel[grid](
            x, out, x.numel(), ONE, FIXED=fixed, BLOCK=block
        )
    return out


def different(sums) -> int:
    """How many different bit patterns there are."""
    sums = torch.stack(sums).reshape(len(sums), -1)
    return len({row.tobytes() for row in sums.cpu().numpy()})
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 17.2.2 the same sum, again and again ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    x = torch.randn(PROGRAMS * SUM_BLOCK).to(DEVICE)
    for name, fixed in [("floats", False), ("fixed point", True)]:
        sums = [sum_atomic(x, fixed) for _ in range(RUNS)]
        print(f"{name}, the same bits: {different(sums) == 1}")
    some = x[:8192]
    units = sum_atomic(some, fixed=True).item()
    print(f"fixed point, sum of 8192: {units}")
    error = abs(units / ONE - some.double().sum().item())
    # Each term is off by half a unit at most.
    print(f"fixed point, within its bound: {error <= 4096 / ONE}")
    # --8<-- [end:demo]
