"""Worked example 2.3.1: an autotuned launch with the default
benchmark. Without a GPU it ends in an error, and says why."""

# /// capture
# differs = "Without a driver there is no default benchmark."
# [labels]
# "config that ran" = { kind = "volatile" }
# ///

import torch
import triton
import triton.language as tl

from ch02_parameterization.config_objects import CONFIGS
from ch02_parameterization.constexpr_shape import check_vector

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.autotune(configs=CONFIGS, key=["n"])
@triton.jit
def autotuned_add(
    x_ptr,  # first input, n floats, contiguous
    y_ptr,  # second input, n floats, contiguous
    out_ptr,  # output, n floats, contiguous
    n,  # number of elements: a new value starts a new search
    BLOCK: tl.constexpr,  # lanes; the chosen Config fills it in
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    y = tl.load(y_ptr + offsets, mask=mask).to(tl.float32)
    tl.store(out_ptr + offsets, x + y, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def add(kernel, x, y, seen=None):
    """x + y. `seen`, a list, collects the BLOCK of every launch."""
    check_vector(x)
    check_vector(y)
    if x.shape != y.shape or x.dtype != y.dtype:
        raise ValueError(
            f"need two tensors of one shape and dtype, got "
            f"{tuple(x.shape)} {x.dtype} and "
            f"{tuple(y.shape)} {y.dtype}"
        )
    out = torch.empty_like(x)
    n = x.numel()
    if n == 0:
        return out

    def grid(meta):
        if seen is not None:
            seen.append(meta["BLOCK"])
        return (triton.cdiv(n, meta["BLOCK"]),)

    kernel[grid](x, y, out, n)
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    # --8<-- [start:demo]
    x = torch.arange(1000, dtype=torch.float32, device=DEVICE)
    print("== 2.3.1 three configs, default benchmark ==")
    try:
        out = add(autotuned_add, x, x)
        print("config that ran:", autotuned_add.best_config)
        print("right:", torch.equal(out, 2 * x))
    except RuntimeError as error:
        print("raised:", type(error).__name__)
        print("message:", error)

    print("== one config ==")
    one = triton.autotune(configs=CONFIGS[:1], key=["n"])
    single = one(autotuned_add.fn)
    print("right:", torch.equal(add(single, x, x), 2 * x))
    print("BLOCK that ran:", single.best_config.kwargs["BLOCK"])
    # --8<-- [end:demo]
