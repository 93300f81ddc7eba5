"""Worked example 2.5.1: one body, three kernels, and one of them
checked against PyTorch in float64."""

# /// capture
# differs = "Only a compiled kernel has instructions to count."
# ptx = ["fused_activation_kernel(ACTIVATION=relu, BLOCK=128)"]
# [labels]
# "max abs diff" = { kind = "bound", limit = 1e-6 }
# ///

import re

import torch
import triton
import triton.language as tl

from ch02_parameterization.constexpr_shape import check_vector

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def fused_activation_kernel(
    x_ptr,  # input, n floats, contiguous
    out_ptr,  # output, n floats, contiguous
    n,  # number of elements
    ACTIVATION: tl.constexpr,  # "none", "relu" or "gelu"
    BLOCK: tl.constexpr,  # lanes of one program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    if ACTIVATION == "relu":
        x = tl.maximum(x, 0.0)
    elif ACTIVATION == "gelu":
        x = 0.5 * x * (1.0 + tl.math.erf(x * 0.7071067811865476))
    else:
        tl.static_assert(
            ACTIVATION == "none", f"no ACTIVATION {ACTIVATION}"
        )
    tl.store(out_ptr + offsets, x, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def fused_activation(x, activation, block=1024):
    """activation(x) in x's dtype, computed in float32."""
    check_vector(x)
    out = torch.empty_like(x)
    n = x.numel()
    if n == 0:
        return out
    grid = (triton.cdiv(n, block),)
    fused_activation_kernel[grid](
        x, out, n, ACTIVATION=activation, BLOCK=block
    )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 2.5.1 one body, three kernels ==")
    # --8<-- [start:demo]
    x = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0], device=DEVICE)
    for name in ["none", "relu", "gelu"]:
        out = fused_activation(x, name, block=4)
        print(f"{name}:", [round(v, 6) for v in out.tolist()])
    exact = torch.nn.functional.gelu(x.double())
    print("PyTorch gelu:", [round(v, 6) for v in exact.tolist()])
    diff = (out.double() - exact).abs().max().item()
    print(f"max abs diff: {diff:.3e}")
    # --8<-- [end:demo]

    print("== 2.5.1 what is in each of them ==")
    # --8<-- [start:ptx]
    for name in ["none", "relu", "gelu"]:
        kernel = fused_activation_kernel[(1,)](
            x, torch.empty_like(x), 5, ACTIVATION=name, BLOCK=128
        )
        if kernel is None:  # interpreted: there is no machine code
            print(f"{name} PTX: none, interpreted")
            continue
        ptx = kernel.asm["ptx"]
        for word in ["max.f32", "fma.rn", "ex2", "setp", "bra"]:
            count = len(re.findall(rf"\b{word}\b", ptx))
            print(f"{name} {word}: {count}")
        print(f"{name} registers: {kernel.n_regs}")
    # --8<-- [end:ptx]
