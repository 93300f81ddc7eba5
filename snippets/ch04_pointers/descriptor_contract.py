"""4.5: what TensorDescriptor refuses on the host, before any launch."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch
from triton.tools.tensor_descriptor import TensorDescriptor

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
x = torch.zeros(8, 8, device=DEVICE)
for title, tensor, block in (
    ("as it is", x, [4, 4]),
    ("a block of three rows", x, [3, 4]),
    ("transposed", x.T, [4, 4]),
    ("every other column", x[:, ::2], [4, 4]),
    ("rows of 20 bytes", torch.zeros(8, 5, device=DEVICE), [4, 4]),
    ("begins at column 1", x[:, 1:5], [4, 4]),
    ("a column, expanded", x[:, :1].expand(8, 8), [4, 4]),
    ("no rows", x[:0], [4, 4]),
):
    try:
        TensorDescriptor.from_tensor(tensor, block)
        print(f"{title}: accepted")
    except (AssertionError, ValueError) as error:
        print(f"{title}: {type(error).__name__}, {error}")
# --8<-- [end:demo]
