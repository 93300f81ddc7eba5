"""20.2: the gradient written over what it was made from, and nobody
told: a second backward is wrong without a word."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch

from ch20_fused.swiglu import swiglu, swiglu_backward, swiglu_eager

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
class Silent(torch.autograd.Function):
    @staticmethod
    def forward(ctx, pair):
        ctx.save_for_backward(pair)
        return swiglu(*pair.chunk(2, -1))

    @staticmethod
    def backward(ctx, grad):
        (pair,) = ctx.saved_tensors
        halves = pair.chunk(2, -1)
        swiglu_backward(grad, *halves, *halves)
        return pair
# --8<-- [end:trap]


# --8<-- [start:demo]
torch.manual_seed(0)
leaf = torch.randn(4, 16).to(DEVICE).requires_grad_()
(true,) = torch.autograd.grad(swiglu_eager(leaf).sum(), leaf)
loss = Silent.apply(leaf.clone()).sum()
for turn in ("first", "second"):
    (grad,) = torch.autograd.grad(loss, leaf, retain_graph=True)
    right = torch.allclose(grad, true, atol=1e-5)
    print(f"{turn} backward right: {right}")
# --8<-- [end:demo]
