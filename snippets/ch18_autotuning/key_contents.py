"""18.3.1: which change of a call starts a search."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch

from ch18_autotuning.sum_space import (
    run_sum,
    sum_config,
    tuned_sum,
)

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
launched = []


def note(kernel_call, quantiles):
    launched.append(kernel_call())
    return [float(len(launched)) for _ in quantiles]


kernel = tuned_sum(
    [sum_config(1, 64, 4), sum_config(4, 64, 4)], do_bench=note
)
print("key:", kernel.keys)
wide = torch.ones(8, 200, device=DEVICE)
print("== 18.3.1 what starts a search ==")
for title, x in (
    ("first call", wide[:, :96].contiguous()),
    ("same again", wide[:, :96].contiguous()),
    ("other contents", wide[:, :96].contiguous() * 7),
    ("other strides", wide[:, :96]),
    ("an address not aligned", wide[:, 1:97]),
    ("one column more", wide[:, :97].contiguous()),
    ("one row less", wide[:7, :96].contiguous()),
    ("another dtype", wide[:, :96].half()),
):
    launched.clear()
    right = torch.equal(run_sum(kernel, x), x.float().sum(1))
    print(f"{title}: {'search' if launched else 'none'}, right {right}")
print("last key:", list(kernel.cache)[-1])
# --8<-- [end:demo]
