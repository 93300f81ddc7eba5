"""Trap of 15.4: a backward that takes the statistic for a constant."""

import torch

from ch15_softmax.norm_backward import RMSNorm

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
class CarelessRMSNorm(RMSNorm):
    """y = x * rstd * weight, hence dx = grad * rstd * weight?"""

    @staticmethod
    def backward(ctx, grad):
        x, weight, rstd = ctx.saved_tensors
        rstd = rstd[:, None]
        dx = grad * rstd * weight
        return dx, (grad * x * rstd).sum(0), None


torch.manual_seed(0)
x = torch.randn(3, 5, dtype=torch.float64).to(DEVICE)
weight = torch.randn(5, dtype=torch.float64).to(DEVICE)
x.requires_grad_(), weight.requires_grad_()
for fn in (RMSNorm, CarelessRMSNorm):
    try:
        passed = torch.autograd.gradcheck(fn.apply, (x, weight))
        print(f"{fn.__name__}: {passed}")
    except RuntimeError as error:
        first = str(error).strip().splitlines()[0]
        print(f"{fn.__name__}: {type(error).__name__}: {first}")
for fn in (RMSNorm, CarelessRMSNorm):
    (dx,) = torch.autograd.grad(fn.apply(x, weight).sum(), x)
    along = (dx * x).sum(1).abs().tolist()
    print(f"{fn.__name__} along x: {[round(v, 4) for v in along]}")
# --8<-- [end:trap]
