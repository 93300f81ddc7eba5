"""Trap of 6.5: gradcheck hands over contiguous gradients, and so
passes a backward that misreads all others."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch

from ch06_contract.gradient_strides import CarelessDouble

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:trap]
torch.manual_seed(0)
x = torch.randn(3, 4, dtype=torch.float64).to(DEVICE)
x.requires_grad_()
double = CarelessDouble.apply
print(f"gradcheck: {torch.autograd.gradcheck(double, (x,))}")


def through_transpose(x):
    return double(x).T.contiguous()


try:
    torch.autograd.gradcheck(through_transpose, (x,))
    print("gradcheck through .T: True")
except RuntimeError as error:
    print(f"gradcheck through .T: {type(error).__name__}")
    first = str(error).strip().splitlines()[0]
    print(f"message: {first}")
# --8<-- [end:trap]
