"""4.5: is a copy with descriptors faster than one with pointers? GPU
only."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* ms" = { kind = "measured", within = 0.2 }
# "*, over copy" = { kind = "measured", within = 0.2 }
# ///

import torch
import triton.testing

from ch04_pointers.descriptor_copy import (
    copy_by_host_descriptor,
    copy_by_made_descriptor,
)
from ch04_pointers.tile_copy import copy2d

M, N = 16384, 16384
BLOCK = 64


# --8<-- [start:timing]
def milliseconds(call):
    return triton.testing.do_bench(call, quantiles=[0.5, 0.2, 0.8])[0]


x = torch.randn(M, N, device="cuda")
out = torch.empty_like(x)
ceiling = milliseconds(lambda: out.copy_(x))
print(f"bytes read and written: {2 * 4 * M * N}")
print(f"plain copy ms: {ceiling:.3f}")
for title, copy in (
    ("pointers", copy2d),
    ("host descriptors", copy_by_host_descriptor),
    ("made descriptors", copy_by_made_descriptor),
):
    out.zero_()
    time = milliseconds(lambda: copy(x, out, BLOCK, BLOCK))
    print(f"{title} ms: {time:.3f}")
    print(f"{title}, over copy: {time / ceiling:.2f}")
    print(f"{title}, right: {torch.equal(out, x)}")
# --8<-- [end:timing]
