"""8.2.1 on a GPU: right after zeros, wrong after anything else."""

# /// capture
# runners = ["gpu"]
# ///

import torch

from ch08_allocation.lower import lower

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 1024  # four mebibytes of float32
TILE = 32

# --8<-- [start:demo]
x = torch.randn(N, N, device=DEVICE)
right = torch.tril(x)
tiles = N // TILE
skipped = tiles * (tiles - 1) // 2
print(f"elements in skipped tiles: {skipped * TILE**2}")
values = {"zeros": 0.0, "sevens": 7.0, "NaN": torch.nan}
for name, value in values.items():
    before = torch.full((N, N), value, device=DEVICE)
    address = before.data_ptr()
    del before  # its bytes are free
    out = lower(x, tile=TILE)
    print(f"after {name}, same bytes: {out.data_ptr() == address}")
    print(f"after {name}, right: {torch.equal(out, right)}")
    wrong = (out != right).sum().item()
    print(f"after {name}, wrong elements: {wrong}")
    print(f"after {name}, out[0, -1]: {out[0, -1].item()}")
    del out
# --8<-- [end:demo]
