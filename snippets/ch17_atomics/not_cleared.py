"""17.5: split-K by atomics, twice into one output."""

import torch

from ch17_atomics.split_k import split_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:trap]
a = torch.ones(16, 64, device=DEVICE)
b = torch.ones(64, 16, device=DEVICE)
out = torch.zeros(16, 16, device=DEVICE)
for call in ("first", "second"):
    split_kernel[(1, 1, 4)](
        a, b, out, out, None, 16, 16, 64, 16, *a.stride(), *b.stride(),
        BLOCK_M=16, BLOCK_N=16, BLOCK_K=16, WAY="atomic", GROUP=1,
    )  # fmt: skip
    print(f"{call} call, out[0, 0]: {out[0, 0].item():.0f}")
# --8<-- [end:trap]
