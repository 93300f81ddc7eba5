"""18.4: one config, two shapes: how much shared memory it needs is no
property of the config alone."""

# /// capture
# runners = ["compiler"]
# no_gpu = "It reads what is compiled, and launches nothing."
# ///

import torch

from ch13_matmul.grouped import grouped_kernel
from ch18_autotuning.matmul_space import matmul_config
from ch18_autotuning.prune import facts_of

# --8<-- [start:demo]
TOO_MUCH = matmul_config(128, 256, 64, 8, 5)

print("== 18.4 one config, two shapes ==")
for m, n, k in ((128, 256, 128), (70, 90, 50)):
    a = torch.empty(m, k, dtype=torch.float16)
    b = torch.empty(k, n, dtype=torch.float16)
    out = torch.empty(m, n, dtype=torch.float16)
    values = (a, b, out, m, n, k, *a.stride(), *b.stride())
    named_args = dict(zip(grouped_kernel.arg_names, values))
    shared, _, _ = facts_of(TOO_MUCH, named_args)
    print(f"{m} x {n} x {k}: shared {shared}")
# --8<-- [end:demo]
