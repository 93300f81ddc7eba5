"""Trap of 10.1 on a GPU: the compiled object asks no questions."""

# /// capture
# runners = ["gpu"]
# ///

import torch

from ch12_elementwise.fma_relu import fma_relu_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
x = torch.arange(4.0, device=DEVICE)
whole = x.int()


def by_kernel(x, n):
    out = torch.zeros(4, device=DEVICE)
    compiled = fma_relu_kernel[(1,)](x, out, 2.0, 1.0, n, BLOCK=1024)
    return out.tolist(), compiled


def by_object(compiled, x, n):
    out = torch.zeros(4, device=DEVICE)
    compiled[(1, 1, 1)](x, out, 2.0, 1.0, n, 1024)
    return out.tolist()


_, for_one = by_kernel(x, 1)
right, for_four = by_kernel(x, 4)
print("== relu(2 * x + 1) of 0, 1, 2, 3 ==")
print(f"kernel: {right}")
print(f"its object: {by_object(for_four, x, 4)}")
print(f"the object made for n = 1: {by_object(for_one, x, 4)}")
print(f"kernel, int32: {by_kernel(whole, 4)[0]}")
print(f"float32 object, int32: {by_object(for_four, whole, 4)}")
# --8<-- [end:demo]
