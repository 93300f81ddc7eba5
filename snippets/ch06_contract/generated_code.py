"""6.5.3 on a GPU: what Inductor writes around an opaque operator and
around one that it can look into."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# ///

import torch
from torch._inductor.utils import run_and_get_code

from ch06_contract.four_ways import silu_open
from ch06_contract.silu_op import register, silu_op

register()
x = torch.randn(1024, 1000, device="cuda")

# --8<-- [start:demo]
for name, fn in [("custom_op", silu_op), ("triton_op", silu_open)]:
    torch.compiler.reset()
    layer = torch.compile(lambda x, fn=fn: 2 * fn(x) + 1)
    out, codes = run_and_get_code(layer, x)
    text = "\n".join(codes)
    reference = 2 * torch.nn.functional.silu(x) + 1
    print(f"{name} right: {torch.allclose(out, reference, atol=1e-6)}")
    print(f"{name} the kernel is in it: {'def silu_kernel' in text}")
    print(f"{name} calls the operator: {'ops.book.silu' in text}")
# --8<-- [end:demo]
