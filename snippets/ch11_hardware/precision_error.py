"""11.4: the error of a matmul in three precisions, against float64."""

# /// capture
# rejects = ["matmul_kernel"]
# [labels]
# "* error" = { kind = "bound", limit = 5e-3 }
# ///

import torch

from ch11_hardware.matmul import DEVICE, matmul

TERMS = 1024

# --8<-- [start:demo]
print("== 11.4.2 the error of 1024 terms ==")
torch.manual_seed(0)
a = torch.randn(64, TERMS)
b = torch.randn(TERMS, 64)
exact = a.double() @ b.double()
a, b = a.to(DEVICE), b.to(DEVICE)


def worst_error(product, exact):
    """The largest error, in parts of the largest element."""
    worst = (product.cpu().double() - exact).abs().max()
    return (worst / exact.abs().max()).item()


for precision in ("tf32", "tf32x3", "ieee"):
    product = matmul(a, b, precision=precision)[0]
    found = worst_error(product, exact)
    print(f"{precision} error: {found:.1e}")
found = worst_error(matmul(a.half(), b.half())[0], exact)
print(f"float16 error: {found:.1e}")
# --8<-- [end:demo]
