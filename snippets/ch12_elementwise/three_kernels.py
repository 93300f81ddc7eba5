"""12.2.1: the same function as a chain of three kernels."""

# /// capture
# differs = """Compiled, the fused kernel contracts a * x + b
# and so rounds once less than the chain of kernels."""
# ///

import torch
import triton
import triton.language as tl

from ch12_elementwise.fma_relu import check_input, fused_fma_relu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024


# --8<-- [start:kernels]
@triton.jit
def mul_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    a,  # the factor
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, a * x, mask=mask)


@triton.jit
def add_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    b,  # the summand
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x + b, mask=mask)


@triton.jit
def relu_kernel(
    x_ptr,  # address of the input
    out_ptr,  # address of the output
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = tl.maximum(x, 0.0, propagate_nan=tl.PropagateNan.ALL)
    tl.store(out_ptr + offsets, y, mask=mask)
# --8<-- [end:kernels]


# --8<-- [start:chain]
def chained_fma_relu(
    x: torch.Tensor, a: float, b: float, block: int = BLOCK
) -> torch.Tensor:
    check_input(x)
    n = x.numel()
    scaled = torch.empty_like(x)
    shifted = torch.empty_like(x)
    out = torch.empty_like(x)
    if n > 0:
        grid = (triton.cdiv(n, block),)
        mul_kernel[grid](x, scaled, float(a), n, BLOCK=block)
        add_kernel[grid](scaled, shifted, float(b), n, BLOCK=block)
        relu_kernel[grid](shifted, out, n, BLOCK=block)
    return out
# --8<-- [end:chain]


if __name__ == "__main__":
    print("== 12.2.1 three kernels against one ==")
    # --8<-- [start:demo]
    x = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0], device=DEVICE)
    chain = chained_fma_relu(x, 2.0, -1.0)
    fused = fused_fma_relu(x, 2.0, -1.0)
    print(f"three kernels: {chain.tolist()}")
    print(f"one kernel: {fused.tolist()}")
    print(f"identical: {torch.equal(chain, fused)}")

    torch.manual_seed(0)
    x = torch.randn(5000).to(DEVICE)
    eager = torch.relu(1.1 * x - 0.3)
    chain = chained_fma_relu(x, 1.1, -0.3)
    fused = fused_fma_relu(x, 1.1, -0.3)
    print(f"random, chain equals eager torch: {chain.equal(eager)}")
    print(f"random, fused equals eager torch: {fused.equal(eager)}")
    # --8<-- [end:demo]
