"""12.3: tanh by hand: the quotient overflows, the sigmoid does not."""

import warnings

import torch
import triton
import triton.language as tl

from ch12_elementwise.gelu_tanh import gelu_tanh

# the interpreter computes with NumPy, which warns where exp overflows
warnings.filterwarnings("ignore", category=RuntimeWarning)

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def tanh_kernel(
    z_ptr,  # address of the input, float32
    quotient_ptr,  # address of the first form's results
    sigmoid_ptr,  # address of the second form's results
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    z = tl.load(z_ptr + offsets, mask=mask)
    e = tl.exp(2.0 * z)
    quotient = (e - 1.0) / (e + 1.0)
    sigmoid = 2.0 * tl.sigmoid(2.0 * z) - 1.0
    tl.store(quotient_ptr + offsets, quotient, mask=mask)
    tl.store(sigmoid_ptr + offsets, sigmoid, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:demo]
print(f"tl.math has a tanh: {hasattr(tl.math, 'tanh')}")
z = torch.tensor([-100.0, -1.0, 0.0, 1.0, 44.0, 45.0, 100.0])
z = z.to(DEVICE)
quotient = torch.empty_like(z)
sigmoid = torch.empty_like(z)
n = z.numel()
tanh_kernel[(triton.cdiv(n, 8),)](z, quotient, sigmoid, n, BLOCK=8)


def rounded(values):
    return " ".join(f"{v:.4f}" for v in values.tolist())


print(f"z: {z.tolist()}")
print(f"quotient: {rounded(quotient)}")
print(f"sigmoid: {rounded(sigmoid)}")
print(f"torch.tanh: {rounded(torch.tanh(z))}")

large = [100.0, 1e13, 3e38, torch.inf]
x = torch.tensor(large, device=DEVICE)
for value, right, left in zip(large, gelu_tanh(x), gelu_tanh(-x)):
    print(f"gelu_tanh at {value:g}: {right:g}")
    print(f"gelu_tanh at {-value:g}: {left:g}")
# --8<-- [end:demo]
