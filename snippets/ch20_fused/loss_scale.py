"""20.4: a gradient that is made in the forward is rounded before a
loss scale comes: in float16 most of it is zero by then."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch
import torch.nn.functional as F

from ch20_fused.linear_cross_entropy import row_losses

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
VOCAB, TOKENS, SCALE = 4096, 16384, 65536.0

# --8<-- [start:demo]
torch.manual_seed(0)
logits = torch.randn(4, VOCAB)  # of four tokens out of TOKENS
target = torch.randint(VOCAB, (4,)).to(DEVICE)
count = torch.tensor([TOKENS]).to(DEVICE)
loss = torch.empty(4).to(DEVICE)
for dtype in (torch.float16, torch.bfloat16):
    grad = logits.to(DEVICE, dtype)
    row_losses(grad, target, loss, count, -100, gradient=True)
    leaf = logits.to(DEVICE, dtype).requires_grad_()
    rows = F.cross_entropy(leaf.float(), target, reduction="sum")
    (scaled,) = torch.autograd.grad(SCALE * rows / TOKENS, leaf)
    for name, found in (
        ("scaled after", grad.float() * SCALE),
        ("scaled before", scaled.float()),
    ):
        lost = (found == 0).float().mean().item()
        kind = str(dtype).removeprefix("torch.")
        print(f"{kind}, {name}, zeros: {lost:.2f}")
# --8<-- [end:demo]
