"""18.2: a list of one config is no search, and resets nothing."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch

from ch18_autotuning.in_place import BLOCKS, add_to, tuned_add

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
print("== 18.2 reset_to_zero, and a list of one ==")
ones = torch.ones(100, device=DEVICE)
for configs in (BLOCKS, BLOCKS[:1]):
    kernel = tuned_add(configs, reset_to_zero=["x_ptr"])
    x = torch.full((100,), 10.0, device=DEVICE)
    add_to(kernel, x, ones)
    print(f"configs {len(configs)}, 10 + 1: {x[0].item():.1f}")
    print(f"configs {len(configs)}, keys kept: {len(kernel.cache)}")
# --8<-- [end:demo]
