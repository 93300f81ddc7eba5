"""16.5: bfloat16 on the GPU: errors of attention and of PyTorch's
flash backend against float64, same numbers."""

# /// capture
# runners = ["gpu"]
# [labels]
# "flash, *" = { kind = "bound", limit = 1e-2 }
# "attention, *" = { kind = "bound", limit = 1e-2 }
# ///

import torch

from ch16_attention.backward import attention, gradients
from ch16_attention.forward import relative_error
from ch16_attention.oracle import attention_oracle
from ch16_attention.sdpa_times import WAYS

# --8<-- [start:demo]
torch.manual_seed(0)
for length, dim in ((500, 64), (333, 128)):
    print(f"== {length} queries and keys, head dim {dim} ==")
    q, k, v, dout = torch.randn(
        4, 1, 2, length, dim, device="cuda", dtype=torch.bfloat16
    )
    wide = [x.double() for x in (q, k, v, dout)]
    true = (
        attention_oracle(*wide[:3], True),
        *gradients(attention_oracle, *wide, True),
    )
    for name, way in (
        ("flash", lambda q, k, v, *_: WAYS["flash"](q, k, v)),
        ("attention", attention),
    ):
        found = (
            way(q, k, v, True, None),
            *gradients(way, q, k, v, dout, True),
        )
        for what, x, t in zip(("out", "dq", "dk", "dv"), found, true):
            print(f"{name}, {what}: {relative_error(x, t):.2e}")
    again = gradients(attention, q, k, v, dout, True)
    same = all(torch.equal(x, y) for x, y in zip(found[1:], again))
    print(f"the same bits twice: {same}")
    k, v = (x[:, :1].expand(-1, 2, -1, -1) for x in (k, v))
    error = relative_error(
        attention(q, k, v, True),
        attention_oracle(q.double(), k.double(), v.double(), True),
    )
    print(f"attention, keys shared by heads: {error:.2e}")
# --8<-- [end:demo]
