"""20.3: what an in-place backward saves, and where it goes wrong:
Liger's switch, both ways."""

# /// capture
# runners = ["gpu"]
# [labels]
# "Liger, in place relative error" = { kind = "measured", within = 0.3 }
# "* relative error" = { kind = "bound", limit = 1e-5 }
# ///

import torch

from ch16_attention.forward import relative_error
from ch20_fused.add_rms_norm import AddRMSNorm, add_rms_norm_eager
from ch20_fused.contest import liger

# --8<-- [start:demo]
theirs = liger(
    "liger_kernel.ops.fused_add_rms_norm",
    "LigerFusedAddRMSNormFunction",
)
ways = {
    "Liger": lambda *a: theirs.apply(*a, 1e-5, 0.0, "llama", False),
    "Liger, in place": lambda *a: theirs.apply(
        *a, 1e-5, 0.0, "llama", True
    ),
    "kernel": AddRMSNorm.apply,
}
torch.manual_seed(0)
x, stream, grad = torch.randn(3, 256, 1024, device="cuda")
weight = torch.randn(1024, device="cuda")
leaves = [t.requires_grad_() for t in (x, stream)]


def gradient(way, grad):
    """Of x + norm(x + stream): its sum passes one gradient to both."""
    out, _ = way(*leaves, weight)
    return torch.autograd.grad(x + out, x, grad)[0]


true = gradient(add_rms_norm_eager, grad)
for name, way in ways.items():
    given = grad.clone()
    error = relative_error(gradient(way, given), true)
    print(f"{name} relative error: {error:.1e}")
    kept = torch.equal(given, grad)
    print(f"{name}, what was handed in is unchanged: {kept}")
# --8<-- [end:demo]
