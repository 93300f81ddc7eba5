"""18.4: a hook for each config: descriptors whose blocks are tuned."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch
import triton
from triton.tools.tensor_descriptor import TensorDescriptor

from ch04_pointers.descriptor_copy import copy_host_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
BLOCKS = ((16, 32), (32, 16))


def set_blocks(named):
    """The descriptors' blocks, as this config wants them."""
    block = [named["BLOCK_M"], named["BLOCK_N"]]
    named["x_desc"].block_shape = block
    named["out_desc"].block_shape = block


def first_wins(kernel_call, quantiles):
    kernel_call()
    return [1.0 for _ in quantiles]


def copy_tuned(kernel, x):
    """A copy of x, by descriptors made before the block is known."""
    out = torch.full_like(x, float("nan"))
    kernel[lambda meta: (
        triton.cdiv(x.shape[0], meta["BLOCK_M"]),
        triton.cdiv(x.shape[1], meta["BLOCK_N"]),
    )](
        TensorDescriptor.from_tensor(x, [16, 16]),
        TensorDescriptor.from_tensor(out, [16, 16]),
    )
    return out


x = torch.arange(64.0 * 64, device=DEVICE).view(64, 64)
print("== 18.4 a hook for each config ==")
for title, hook in (("no hook", None), ("set_blocks", set_blocks)):
    configs = [
        triton.Config({"BLOCK_M": m, "BLOCK_N": n}, pre_hook=hook)
        for m, n in BLOCKS
    ]
    # A descriptor's sizes are no arguments, so no key names them.
    kernel = triton.autotune(configs, key=[], do_bench=first_wins)(
        copy_host_kernel
    )
    for call in ("first", "second"):
        missing = int(copy_tuned(kernel, x).isnan().sum())
        print(f"{title}, {call} call, not copied: {missing}")
# --8<-- [end:demo]
