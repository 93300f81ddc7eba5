"""Trap of 8.3: autograd counts changes, and a kernel's change does
not count."""

import torch

from ch12_elementwise.fma_relu import fma_relu_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
def by_torch(y):
    y.mul_(2.0)


def by_kernel(y):
    fma_relu_kernel[(1,)](y, y, 2.0, 0.0, 3, BLOCK=4)


def by_kernel_counted(y):
    by_kernel(y)
    torch.autograd.graph.increment_version(y)


@torch.library.custom_op("ch08::double_", mutates_args={"y"})
def double_(y: torch.Tensor) -> None:
    by_kernel(y)


def by_operator(y):
    double_(y)


for change in (by_torch, by_kernel, by_kernel_counted, by_operator):
    name = change.__name__
    w = torch.zeros(3, device=DEVICE, requires_grad=True)
    y = torch.exp(w)  # its backward needs y as it is now
    change(y.detach())
    try:
        y.sum().backward()
        print(f"{name}, gradient: {w.grad.tolist()}")
    except RuntimeError as error:
        print(f"{name}, error: {str(error).split(':')[0]}")
# --8<-- [end:trap]
