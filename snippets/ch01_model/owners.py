"""1.5: names own tensors, tensors own bytes, launches own nothing."""

import sys
import weakref

import torch
import triton

from ch02_parameterization.kept_by_compiler import fill_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 1024


# --8<-- [start:demo]
def count_owners():
    x = torch.zeros(N, device=DEVICE)
    watch = weakref.ref(x)  # sees the tensor, does not own it
    references = sys.getrefcount(x)
    fill_kernel[(triton.cdiv(N, 256),)](x, N, BLOCK=256)
    launched = sys.getrefcount(x) - references
    print("owners that the launch added:", launched)
    y = x
    named = sys.getrefcount(x) - references
    print("owners that y = x added:", named)
    del x
    print("alive after del x:", watch() is not None)
    print("y.sum() is still right:", y.sum().item() == N)
    del y
    print("alive after del y:", watch() is not None)


def count_bytes():
    x = torch.zeros(N, device=DEVICE)
    part = x[:2]  # another tensor, the same bytes
    print("one address:", part.data_ptr() == x.data_ptr())
    del x
    print("bytes that part shows:", part.nbytes)
    print("bytes that part keeps:", part.untyped_storage().nbytes())
    own = part.clone()
    print("bytes that a clone keeps:", own.untyped_storage().nbytes())


print("== 1.5.1 who owns a tensor ==")
count_owners()
print("== 1.5.1 who owns its bytes ==")
count_bytes()
# --8<-- [end:demo]
