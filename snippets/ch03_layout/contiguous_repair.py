"""Trap of 3.2: contiguous() says nothing about which layout is fast,
and turns columns back into records."""

import torch

from ch03_layout.records import one_field

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:trap]
def careful(p):
    """Field x of each particle. Makes sure of its input first."""
    p = p.contiguous()
    print(f"the kernel reads with strides: {p.stride()}")
    return one_field(p, 0)


records = torch.randn(4096, 4).to(DEVICE)
columns = records.T.contiguous().T
print(f"columns have strides: {columns.stride()}")
same = torch.equal(careful(columns), columns[:, 0])
print(f"right: {same}")
# --8<-- [end:trap]
