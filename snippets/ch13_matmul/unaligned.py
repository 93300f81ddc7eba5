"""13.5: rows that do not start at multiples of 16 bytes."""

import torch

from ch13_matmul.descriptors import matmul_descriptors

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
print("== rows of 16 bytes, or not ==")
a = torch.ones(64, 100, device=DEVICE).half()
b = torch.ones(100, 64, device=DEVICE).half()
padded = torch.zeros(64, 104, device=DEVICE).half()
padded[:, :100] = a
for name, left in (
    ("a, rows of 200 bytes", a),
    ("the same in rows of 208", padded[:, :100]),
):
    try:
        corner = matmul_descriptors(left, b)[0, 0].item()
        print(f"{name}: {corner}")
    except ValueError as error:
        print(f"{name}: ValueError: {error}")
# --8<-- [end:demo]
