"""18.3: a tensor as a key."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import weakref

import torch

from ch18_autotuning.in_place import add_to, tuned_add

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:trap]
kernel = tuned_add(key=["x_ptr"])
ones = torch.ones(100, device=DEVICE)
watched = []
print("== 18.3 a tensor as a key ==")
for _ in range(5):
    x = torch.zeros(100, device=DEVICE)  # 100 every time
    add_to(kernel, x, ones)
    watched.append(weakref.ref(x))
del x
alive = sum(ref() is not None for ref in watched)
print("searches for 5 calls:", len(kernel.cache))
print("tensors still alive:", alive)
# --8<-- [end:trap]
