"""Trap of 2.3: the search never leaves the list. 1024 would win by
far, by the invented times, and nobody tries it."""

import torch
import triton

from ch02_parameterization.autotune_attempt import (
    add,
    autotuned_add,
)
from ch02_parameterization.autotune_counting import pretend_bench

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
INVENTED_MS = {64: 4.0, 128: 3.0, 256: 2.0, 1024: 0.5}


def search(blocks, x):
    """Tune over these values of BLOCK alone."""
    seen = []
    kernel = triton.autotune(
        configs=[triton.Config({"BLOCK": b}) for b in blocks],
        key=["n"],
        do_bench=pretend_bench(seen, INVENTED_MS),
    )(autotuned_add.fn)
    add(kernel, x, x, seen)
    print("trials:", seen[:-1])
    print("winner:", seen[-1])


x = torch.ones(1000, device=DEVICE)
print("== the list stops at 256 ==")
search([64, 128, 256], x)
print("== the list goes on to 1024 ==")
search([64, 128, 256, 1024], x)
# --8<-- [end:demo]
