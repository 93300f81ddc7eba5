"""7.2: range and step of the float types, as torch knows them."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "torch.finfo says the same on every machine."
# ///

import torch

# --8<-- [start:formats]
for dtype in (torch.float32, torch.float16, torch.bfloat16):
    name = str(dtype).removeprefix("torch.")
    info = torch.finfo(dtype)
    print(f"{name} bits: {info.bits}")
    print(f"{name} eps: {info.eps:.3g}")
    print(f"{name} largest: {info.max:.6g}")
    print(f"{name} smallest normal: {info.tiny:.3g}")
    smallest = info.smallest_normal * info.eps
    print(f"{name} smallest subnormal: {smallest:.3g}")
# --8<-- [end:formats]
