"""20.1: a backward that forgets one of its two gradients, and the
check that does not see it."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch

from ch15_softmax.norm_backward import norm_backward
from ch20_fused.add_rms_norm import AddRMSNorm, add_rms_norm

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
class ForgottenStream(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, stream, weight):
        out, total, rstd = add_rms_norm(x, stream, weight)
        ctx.save_for_backward(total, weight, rstd)
        return out, total

    @staticmethod
    def backward(ctx, grad_out, grad_total):  # grad_total: not read
        total, weight, rstd = ctx.saved_tensors
        dx, dweight = norm_backward(grad_out, total, weight, None, rstd)
        return dx, dx, dweight
# --8<-- [end:trap]


if __name__ == "__main__":
    # --8<-- [start:demo]
    torch.manual_seed(0)
    x, stream = torch.randn(2, 3, 8, dtype=torch.float64).to(DEVICE)
    weight = torch.randn(8, dtype=torch.float64).to(DEVICE)
    args = [t.requires_grad_() for t in (x, stream, weight)]
    for name, function in (
        ("forgotten", ForgottenStream), ("right", AddRMSNorm)
    ):
        for what, outputs in (
            ("the normed alone", lambda *a: function.apply(*a)[0]),
            ("both outputs", function.apply),
        ):
            passed = torch.autograd.gradcheck(
                outputs, args, raise_exception=False
            )
            print(f"{name}, {what}, gradcheck: {passed}")
    # --8<-- [end:demo]
