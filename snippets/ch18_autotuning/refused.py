"""18.4: configs that cannot run, and what a search makes of each."""

# /// capture
# runners = ["interpreter", "gpu"]
# differs = """
# The interpreter has no shared memory to run out of, and takes any
# number of warps."""
# ///

import torch
import triton

from ch18_autotuning.matmul_space import (
    matmul_config,
    run_matmul,
    tuned_matmul,
)

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
FITS = matmul_config(64, 64, 64, 4, 3)
TOO_MUCH = matmul_config(128, 256, 64, 8, 5)
ALSO = matmul_config(128, 256, 128, 8, 3)
THREE_WARPS = matmul_config(64, 64, 64, 3, 3)


def first_wins(kernel_call, quantiles):
    kernel_call()
    return [1.0 for _ in quantiles]


torch.manual_seed(0)
a = torch.randint(-2, 3, (128, 128)).half().to(DEVICE)
b = torch.randint(-2, 3, (128, 256)).half().to(DEVICE)
exact = (a.double() @ b.double()).half()
for title, configs in (
    ("one that fits, one too large", [TOO_MUCH, FITS]),
    ("two too large", [TOO_MUCH, ALSO]),
    ("one that fits, one of 3 warps", [FITS, THREE_WARPS]),
):
    print(f"== 18.4 {title} ==")
    kernel = tuned_matmul(configs, do_bench=first_wins)
    try:
        right = torch.equal(run_matmul(kernel, a, b), exact)
        print("right:", right)
    except Exception as error:
        print("raised:", type(error).__name__)
        print("message:", str(error).strip().splitlines()[-1])
    if hasattr(kernel, "configs_timings"):
        times = kernel.configs_timings.values()
        print("times:", [t[0] for t in times])
# --8<-- [end:demo]
