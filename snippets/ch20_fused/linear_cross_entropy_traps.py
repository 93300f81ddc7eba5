"""20.4.1, the traps: a mean of means, and a gradient scaled twice."""

import torch
import torch.nn.functional as F

from ch20_fused.linear_cross_entropy import LinearCrossEntropy
from ch20_fused.linear_cross_entropy import linear_cross_entropy
from ch20_fused.linear_cross_entropy import scale_

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:means]
def mean_of_means(x, weight, target, chunk):
    """Each chunk's mean, and then the mean of those."""
    parts = x.split(chunk), target.split(chunk)
    losses = [
        linear_cross_entropy(some, weight, right)
        for some, right in zip(*parts)
    ]
    return torch.stack(losses).mean()
# --8<-- [end:means]


# --8<-- [start:kept]
class Kept(LinearCrossEntropy):
    """Keeps the gradients, and scales them where they are."""

    @staticmethod
    def backward(ctx, grad):
        return *(scale_(g, grad) for g in ctx.grads), *(None,) * 4
# --8<-- [end:kept]


torch.manual_seed(0)
x = torch.randn(12, 16).to(DEVICE).requires_grad_()
weight = torch.randn(50, 16).to(DEVICE)
target = torch.randint(50, (12,)).to(DEVICE)

print("== 20.4.1 a mean of means ==")
# --8<-- [start:demo]
target[9:] = -100  # a short text, padded
for name, loss in (
    ("PyTorch", F.cross_entropy(x @ weight.T, target)),
    ("chunks", linear_cross_entropy(x, weight, target, 4)),
    ("mean of means, 8 and 4", mean_of_means(x, weight, target, 8)),
    ("mean of means, 3 each", mean_of_means(x, weight, target, 3)),
):
    print(f"{name}, loss: {loss.item():.4f}")
# --8<-- [end:demo]

print("== 20.4.1 backward, twice ==")
# --8<-- [start:twice]
args = (weight, target, 4, -100, (True, False))
for name, fn in (("kept", Kept), ("ours", LinearCrossEntropy)):
    loss = 2 * fn.apply(x, *args)
    for turn in ("first", "second"):
        try:
            (dx,) = torch.autograd.grad(loss, x, retain_graph=True)
        except RuntimeError as error:
            print(f"{name}, {turn}: RuntimeError: {error}")
            continue
        print(f"{name}, {turn}, norm of dx: {dx.norm().item():.4f}")
# --8<-- [end:twice]
