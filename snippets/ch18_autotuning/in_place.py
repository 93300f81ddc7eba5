"""18.2.1: an addition in place under a search, with a benchmark that
calls five times. One call, and how often it acted."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch
import triton

from ch02_parameterization.autotune_attempt import autotuned_add

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:bench]
BLOCKS = [triton.Config({"BLOCK": b}) for b in (64, 128, 256)]


def five_calls(kernel_call, quantiles):
    """A do_bench that times nothing: all configs come out equal."""
    for _ in range(5):
        kernel_call()
    return [1.0 for _ in quantiles]


def tuned_add(configs=BLOCKS, **options):
    options = {"key": ["n"], "do_bench": five_calls} | options
    return triton.autotune(configs, **options)(autotuned_add.fn)


def add_to(kernel, x, y):
    """x += y, in place."""
    n = x.numel()
    if n > 0:
        kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](
            x, y, x, n
        )
# --8<-- [end:bench]


if __name__ == "__main__":
    # --8<-- [start:demo]
    ones = torch.ones(100, device=DEVICE)
    for title, options in (
        ("nothing", {}),
        ("reset_to_zero", {"reset_to_zero": ["x_ptr"]}),
        ("restore_value", {"restore_value": ["x_ptr"]}),
    ):
        print(f"== 18.2.1 {title} ==")
        kernel = tuned_add(**options)
        for call in ("first", "second"):
            x = torch.full((100,), 10.0, device=DEVICE)
            add_to(kernel, x, ones)
            print(f"{call} call, 10 + 1: {x[0].item():.1f}")
    # --8<-- [end:demo]
