"""4.4: what offsets of 64 bits cost in time, for a copy. GPU only."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* ms" = { kind = "measured", within = 0.2 }
# "*, over copy" = { kind = "measured", within = 0.2 }
# "64 bits over 32 bits" = { kind = "measured", within = 0.1 }
# ///

import torch
import triton.testing

from ch04_pointers.wide_offsets import copy1d

N = 2**28


# --8<-- [start:timing]
def milliseconds(call):
    return triton.testing.do_bench(call, quantiles=[0.5, 0.2, 0.8])[0]


x = torch.randn(N, device="cuda")
out = torch.empty_like(x)
ceiling = milliseconds(lambda: out.copy_(x))
narrow = milliseconds(lambda: copy1d(x, out, wide=False))
wide = milliseconds(lambda: copy1d(x, out, wide=True))
print(f"elements: {N}")
print(f"bytes read and written: {2 * 4 * N}")
print(f"plain copy ms: {ceiling:.3f}")
for title, time in (("32 bits", narrow), ("64 bits", wide)):
    print(f"{title} ms: {time:.3f}")
    print(f"{title}, over copy: {time / ceiling:.2f}")
print(f"64 bits over 32 bits: {wide / narrow:.3f}")
# --8<-- [end:timing]
