"""Trap of 6.3: a sign that lies neither in the memory nor in the
strides."""

import torch

from ch06_contract.strided_scale import scale
from ch12_elementwise.fma_relu import check_input

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:trap]
z = torch.tensor([[1 + 2j, 3 + 4j]], device=DEVICE)
x = z.conj().imag
print(f"x: {x.tolist()}")
print(f"dtype: {x.dtype}")
print(f"strides: {x.stride()}")
print(f"x.is_neg(): {x.is_neg()}")
print(f"2 * x, torch: {(2 * x).tolist()}")
print(f"2 * x, kernel: {scale(x, 2.0).tolist()}")
resolved = scale(x.resolve_neg(), 2.0)
print(f"2 * x.resolve_neg(), kernel: {resolved.tolist()}")

one = x[:, :1]
check_input(one)  # contiguous, float32, the right device
print(f"one element, contiguous: {one.is_contiguous()}")
same = one.contiguous()
print(f"one element, .contiguous() kernel: {scale(same, 2.0).item():g}")
print(f"one element, torch: {(2 * one).item():g}")
# --8<-- [end:trap]
