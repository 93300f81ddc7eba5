"""4.3: a row added by its stride of 0, and one that was copied to a
full matrix first. GPU only."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* ms" = { kind = "measured", within = 0.2 }
# "*, over copy" = { kind = "measured", within = 0.2 }
# "full over expanded" = { kind = "measured", within = 0.2 }
# ///

import torch
import triton.testing

from ch04_pointers.broadcast_add import broadcast_add

M, N = 16384, 16384
PASS = 4 * M * N  # bytes of one read or one write of it all


# --8<-- [start:timing]
def milliseconds(call):
    return triton.testing.do_bench(call, quantiles=[0.5, 0.2, 0.8])[0]


x = torch.randn(M, N, device="cuda")
row = torch.randn(1, N, device="cuda")
full = row.expand(M, N).contiguous()
out = torch.empty_like(x)

copy = milliseconds(lambda: out.copy_(x))
expanded = milliseconds(lambda: broadcast_add(x, row))
copied = milliseconds(lambda: broadcast_add(x, full))
eager = milliseconds(lambda: torch.add(x, row, out=out))
print(f"bytes of one pass: {PASS}")
print(f"bytes of the row: {4 * N}")
print(f"plain copy ms: {copy:.3f}")
for title, time in (
    ("expanded row", expanded),
    ("full matrix", copied),
    ("torch, expanded row", eager),
):
    print(f"{title} ms: {time:.3f}")
    print(f"{title}, over copy: {time / copy:.2f}")
print(f"full over expanded: {copied / expanded:.2f}")
# --8<-- [end:timing]
