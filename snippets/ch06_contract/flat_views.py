"""6.3.1: a kernel that takes every input for contiguous. The shape
is right, the numbers are plausible, the result is wrong."""

import torch

from ch06_contract.one_address import flat_scale

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 64

print("== 6.3.1 six elements, by hand ==")
# --8<-- [start:hand]
x = torch.arange(12.0, device=DEVICE).reshape(3, 4)
for name, view in [
    ("transposed", x[:2, :3].T),
    ("sliced", x[:2, ::2]),
    ("expanded", x[:1, :3].expand(2, 3)),
]:
    print(f"{name} view: {view.tolist()}")
    print(f"{name} flat: {flat_scale(view, 1.0).tolist()}")
# --8<-- [end:hand]

print("== 6.3.1 would you notice? ==")
# --8<-- [start:notice]
torch.manual_seed(0)
x = torch.randn(N, 2 * N).to(DEVICE)
views = {
    "contiguous": x[:, :N].clone(),
    "transposed": x[:, :N].clone().T,
    "sliced": x[:, :N],
    "expanded": x[0, :N].expand(N, N),
}
for name, view in views.items():
    out, right = flat_scale(view, 2.0), 2 * view
    same_values = torch.equal(
        out.flatten().sort().values, right.flatten().sort().values
    )
    print(f"{name} shape right: {out.shape == right.shape}")
    print(f"{name} mean: {out.mean().item():.2f}")
    print(f"{name} mean, torch: {right.mean().item():.2f}")
    print(f"{name} deviation: {out.std().item():.2f}")
    print(f"{name} deviation, torch: {right.std().item():.2f}")
    print(f"{name} same values, sorted: {same_values}")
    print(f"{name} right elements: {(out == right).sum().item()}")
print(f"elements: {N * N}")
# --8<-- [end:notice]
