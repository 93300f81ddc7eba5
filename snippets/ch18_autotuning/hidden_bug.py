"""18.2: a config that leaves half of the output to the others."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch
import triton

from ch02_parameterization.autotune_attempt import autotuned_add

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:trap]
PAIR = [triton.Config({"BLOCK": b}) for b in (128, 64)]
MS = {128: 2.0, 64: 1.0}  # invented: 64 wins
n = 1000
grid = (triton.cdiv(n, 128),)  # the bug: right for 128 alone
ran = []


def invented(kernel_call, quantiles):
    kernel_call()
    ran.append(PAIR[len(ran)].kwargs["BLOCK"])
    return [MS[ran[-1]] for _ in quantiles]


kernel = triton.autotune(PAIR, key=["n"], do_bench=invented)(
    autotuned_add.fn
)
x = torch.ones(n, device=DEVICE)
print("== 18.2 the trial of one hides the bug of another ==")
for call in ("first", "second"):
    out = torch.full_like(x, float("nan"))
    kernel[grid](x, x, out, n)
    print(f"{call} call, right: {torch.equal(out, x + x)}")
print("winner:", kernel.best_config.kwargs)
# --8<-- [end:trap]

print("== 18.2 each config alone, on an output full of NaN ==")
# --8<-- [start:test]
for config in PAIR:
    out = torch.full_like(x, float("nan"))
    kernel.fn[grid](x, x, out, n, **config.all_kwargs())
    left = int(out.isnan().sum())
    print(f"{config.kwargs}: {left} elements not written")
# --8<-- [end:test]
