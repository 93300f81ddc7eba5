"""Trap of 2.4: a pointer keeps nothing alive. The bytes get a new
owner, and a kernel that still holds the old address writes there."""

# /// capture
# # A CPU's allocator may or may not hand out the same bytes again.
# runners = ["compiler", "gpu"]
# ///
import numpy as np
import torch
import triton

from ch02_parameterization.kept_by_compiler import fill_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 4096  # floats of scratch
M = 3968  # floats of weights: they fit where scratch was


# --8<-- [start:demo]
class Address:
    """Where a float32 tensor lies. Owns nothing, like a pointer."""

    def __init__(self, tensor):
        facts = {
            "data": (tensor.data_ptr(), False),
            "shape": tuple(tensor.shape),
            "typestr": "<f4",
            "version": 3,
        }
        if tensor.is_cuda:
            self.__cuda_array_interface__ = facts
        else:
            self.__array_interface__ = facts


def at(address):
    """A tensor over that address, without a share in its bytes."""
    if DEVICE == "cuda":
        return torch.as_tensor(address, device=DEVICE)
    return torch.from_numpy(np.asarray(address))


scratch = torch.empty(N, device=DEVICE)
stale = at(Address(scratch))
del scratch  # the last owner: these bytes are free again

owners = []
while len(owners) < 100:
    owners.append(torch.zeros(M, device=DEVICE))
    if owners[-1].data_ptr() == stale.data_ptr():
        break
weights = owners[-1]
reused = weights.data_ptr() == stale.data_ptr()

print("== one address, two owners in turn ==")
print("weights lie where scratch lay:", reused)
print("weights before:", weights[:4].tolist())
if reused:  # so the bytes are alive, and this run is safe
    grid = (triton.cdiv(M, 1024),)
    fill_kernel[grid](stale, M, BLOCK=1024)
print("weights after:", weights[:4].tolist())
# --8<-- [end:demo]
