"""20.3: a backward that turns the incoming gradient in place. It is
not always its own."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch

from ch20_fused.rope import Rope, rope_eager, rope_into, rope_table

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
class Careless(Rope):
    @staticmethod
    def backward(ctx, grad):
        cos, sin = ctx.saved_tensors
        grad = grad.contiguous()
        rope_into(grad, grad, cos, sin, back=True)
        return grad, None, None
# --8<-- [end:trap]


# --8<-- [start:demo]
torch.manual_seed(0)
cos, sin = rope_table(5, 8)
x = torch.randn(1, 5, 2, 8).to(DEVICE).requires_grad_()
weight = torch.randn(1, 5, 2, 8).to(DEVICE)
for where, use in (
    ("turn(x)", lambda turn: turn(x)),
    ("x + turn(x)", lambda turn: x + turn(x)),
):
    ways = {
        "right": lambda x: Rope.apply(x.clone(), cos, sin),
        "careless": lambda x: Careless.apply(x.clone(), cos, sin),
        "eager": lambda x: rope_eager(x, cos, sin),
    }
    grads = {
        name: torch.autograd.grad((use(way) * weight).sum(), x)[0]
        for name, way in ways.items()
    }
    for name in ("right", "careless"):
        close = torch.allclose(grads[name], grads["eager"], atol=1e-5)
        print(f"{where}, {name}: {close}")
# --8<-- [end:demo]
