"""12.3.1: GELU through erf, against torch as an oracle."""

# /// capture
# [labels]
# "max abs diff" = { kind = "bound", limit = 1e-6 }
# "allclose with defaults" = { kind = "volatile" }
# ///

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

from ch12_elementwise.fma_relu import check_input

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024
FLOATS = (torch.float32, torch.float16, torch.bfloat16)


# --8<-- [start:kernel]
@triton.jit
def gelu_exact_kernel(
    x_ptr,  # address of x[0]: float32, float16 or bfloat16
    out_ptr,  # address of out[0], same dtype, as long as x
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    INV_SQRT2: tl.constexpr = 0.7071067811865476
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    phi = 0.5 * (1.0 + tl.math.erf(x * INV_SQRT2))
    tl.store(out_ptr + offsets, x * phi, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def launch(kernel, x: torch.Tensor, block: int = BLOCK):
    """Run a kernel of one input and one output over all of x."""
    check_input(x, FLOATS)
    out = torch.empty_like(x)
    n = x.numel()
    if n > 0:
        kernel[(triton.cdiv(n, block),)](x, out, n, BLOCK=block)
    return out


def gelu_exact(x: torch.Tensor, block: int = BLOCK) -> torch.Tensor:
    return launch(gelu_exact_kernel, x, block)
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 12.3.1 exact GELU and its oracle ==")
    # --8<-- [start:demo]
    points = [-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0]
    x = torch.tensor(points, device=DEVICE)
    out = gelu_exact(x)
    oracle = F.gelu(x, approximate="none")
    diff = (out - oracle).abs().max().item()
    for value, ours, theirs in zip(points, out, oracle):
        print(f"at {value}: kernel {ours:.6f}, oracle {theirs:.6f}")
    print(f"max abs diff: {diff:.3e}")
    print(f"allclose with defaults: {torch.allclose(out, oracle)}")
    close = torch.allclose(out, oracle, rtol=0.0, atol=1e-6)
    print(f"allclose with rtol=0, atol=1e-6: {close}")
    # --8<-- [end:demo]
