"""Trap of 6.5: the second derivative of a kernel's backward."""

# /// capture
# runners = ["interpreter", "gpu"]
# differs = "Two versions of PyTorch word one error differently."
# ///

import torch

from ch06_contract.silu import silu
from ch06_contract.silu_grad import Silu, silu_backward
from ch06_contract.silu_op import register, silu_op

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
class SiluOnceTooOften(torch.autograd.Function):
    """Silu without @once_differentiable."""

    @staticmethod
    def forward(ctx, x):
        ctx.save_for_backward(x)
        return silu(x)

    @staticmethod
    def backward(ctx, grad):
        return silu_backward(grad, *ctx.saved_tensors)


def second(fn):
    """The second derivative of fn(x) at 1."""
    x = torch.ones((), dtype=torch.float64, device=DEVICE)
    x.requires_grad_()
    (first,) = torch.autograd.grad(fn(x), x, create_graph=True)
    return torch.autograd.grad(first, x)[0].item()


register()
for name, fn in [
    ("torch", torch.nn.functional.silu),
    ("without", SiluOnceTooOften.apply),
    ("once_differentiable", Silu.apply),
    ("custom_op", silu_op),
]:
    print(f"== {name} ==")
    for title, y in [
        ("silu plus square", lambda x, fn=fn: fn(x) + x * x),
        ("silu squared", lambda x, fn=fn: fn(x).square()),
    ]:
        try:
            print(f"{title}: {second(y):.4f}")
        except RuntimeError as error:
            first = str(error).partition(". ")[0]
            print(f"{title}: {type(error).__name__}: {first}")
# --8<-- [end:trap]
