"""Trap of 4.5: where a row is no multiple of 16 bytes, a store by
descriptor writes on behind it."""

# /// capture
# differs = """The interpreter stores element by element; the hardware
# writes whole multiples of 16 bytes."""
# ///

import torch
from triton.tools.tensor_descriptor import TensorDescriptor

from ch04_pointers.descriptor_copy import (
    copy_by_host_descriptor,
    copy_host_kernel,
)
from ch04_pointers.tile_copy import copy2d

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
x = torch.arange(1.0, 17.0, device=DEVICE).reshape(2, 8)[:, :5]
whole = torch.full((2, 8), -1.0, device=DEVICE)
out = whole[:, :5]  # five columns of eight; three belong to others
copy2d(x, out)
print(f"pointers, row 0: {whole[0].tolist()}")

whole.fill_(-1.0)
copy_host_kernel[(1, 2)](
    TensorDescriptor.from_tensor(x, [4, 4]),
    TensorDescriptor.from_tensor(out, [4, 4]),
    BLOCK_M=4,
    BLOCK_N=4,
)
print(f"descriptors, row 0: {whole[0].tolist()}")
print(f"descriptors, row 1: {whole[1].tolist()}")
print(f"written beside out: {int((whole[:, 5:] != -1.0).sum())}")
try:
    copy_by_host_descriptor(x, out, 4, 4)
except ValueError as error:
    print(f"the wrapper: {error}")
# --8<-- [end:demo]
