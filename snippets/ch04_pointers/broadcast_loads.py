"""4.3: what the compiler makes of a stride of 1 and a stride of 0."""

import torch

from ch04_pointers.broadcast_add import broadcast_add

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
x = torch.arange(16.0 * 256, device=DEVICE).reshape(16, 256)
row, column = x[:1].clone(), x[:, :1].clone()
for title, b in (
    ("b is full", x),  # strides (256, 1)
    ("b is a row", row),  # strides (0, 1)
    ("b is a column", column),  # strides (1, 0)
):
    print(f"{title}: {torch.equal(broadcast_add(x, b), x + b)}")
# --8<-- [end:demo]
