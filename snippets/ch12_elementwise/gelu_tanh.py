"""12.3.2: the tanh form of GELU, against two oracles."""

# /// capture
# [labels]
# "max abs diff, *" = { kind = "bound", limit = 1e-3 }
# "exact over own" = { kind = "bound", limit = 1e6 }
# ///

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

from ch12_elementwise.gelu_exact import launch

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024


# --8<-- [start:kernel]
@triton.jit
def gelu_tanh_approx_kernel(
    x_ptr,  # address of x[0]: float32, float16 or bfloat16
    out_ptr,  # address of out[0], same dtype, as long as x
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    SQRT_2_OVER_PI: tl.constexpr = 0.7978845608028654
    CUBIC: tl.constexpr = 0.044715
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask).to(tl.float32)
    z = SQRT_2_OVER_PI * (x + CUBIC * x * x * x)
    tanh = 2.0 * tl.sigmoid(2.0 * z) - 1.0
    phi = 0.5 * (1.0 + tanh)
    tl.store(out_ptr + offsets, x * phi, mask=mask)


def gelu_tanh(x: torch.Tensor, block: int = BLOCK) -> torch.Tensor:
    return launch(gelu_tanh_approx_kernel, x, block)
# --8<-- [end:kernel]


if __name__ == "__main__":
    print("== 12.3.2 the tanh form and two oracles ==")
    # --8<-- [start:demo]
    points = [-3.0, -1.0, -0.5, 0.0, 0.5, 1.0, 2.0, 3.0]
    x = torch.tensor(points, device=DEVICE)
    out = gelu_tanh(x)
    own = F.gelu(x, approximate="tanh")
    exact = F.gelu(x, approximate="none")
    for value, ours, near, far in zip(points, out, own, exact):
        oracles = f"tanh {near:.6f}, exact {far:.6f}"
        print(f"at {value}: kernel {ours:.6f}, {oracles}")
    to_own = (out - own).abs().max().item()
    to_exact = (out - exact).abs().max().item()
    print(f"max abs diff, own oracle: {to_own:.2e}")
    print(f"max abs diff, exact oracle: {to_exact:.2e}")
    print(f"exact over own: {to_exact / to_own:.0f}")
    # --8<-- [end:demo]
