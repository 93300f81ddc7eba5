"""20.6.2, the trap: the check of 20.6.1 on a block whose backward
forgets the gradient of the residual stream."""

# /// capture
# runners = ["interpreter", "gpu"]
# timeout = 240
# ///

import torch

from ch20_fused.block import Eager, Fused, Model, gradients
from ch20_fused.forgotten_stream import ForgottenStream

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:block]
class Forgotten(Fused):
    add_norm = ForgottenStream.apply
# --8<-- [end:block]


# --8<-- [start:demo]
shape = dict(vocab=50, dim=32, heads=2, hidden=40, length=19)
forgotten = Model(Forgotten, **shape)
exact = Model(Eager, **shape).double()
torch.manual_seed(0)
with torch.no_grad():  # the same weights, as large as in 20.6.1
    for mine, true in zip(forgotten.parameters(), exact.parameters()):
        if mine.dim() == 2:
            mine.copy_(0.2 * torch.randn(mine.shape))
        true.copy_(mine)
tokens = torch.randint(50, (2, 20)).to(DEVICE)
data = tokens[:, :-1], tokens[:, 1:]
loss, found = gradients(forgotten, *data, torch.float32)
truth, wanted = gradients(exact, *data, torch.float64)
print(f"loss: {loss.item():.3f}")
print(f"loss in float64: {truth.item():.3f}")
for name, grad in found.items():
    off = (grad - wanted[name]).norm() / wanted[name].norm()
    print(f"{name} wrong by: {off.item():.3f}")
# --8<-- [end:demo]
