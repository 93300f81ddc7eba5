"""Worked example 2.3.2: a stand-in for do_bench that times nothing
and shows which configs are tried, and when."""

import torch
import triton

from ch02_parameterization.autotune_attempt import (
    add,
    autotuned_add,
)
from ch02_parameterization.config_objects import CONFIGS

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:bench]
def pretend_bench(seen, invented_ms):
    """A do_bench that runs a config once and invents its time."""

    def bench(kernel_call, quantiles):
        kernel_call()  # the grid function notes BLOCK in `seen`
        ms = invented_ms[seen[-1]]
        return [ms for _ in quantiles]

    return bench
# --8<-- [end:bench]


if __name__ == "__main__":
    # --8<-- [start:demo]
    seen = []
    invented_ms = {64: 3.0, 128: 1.0, 256: 2.0}
    counted_add = triton.autotune(
        configs=CONFIGS,
        key=["n"],
        do_bench=pretend_bench(seen, invented_ms),
    )(autotuned_add.fn)

    def call(title, x):
        """One call; the launches before the last one were trials."""
        seen.clear()
        out = add(counted_add, x, x, seen)
        print(f"{title}, trials: {seen[:-1]}")
        print(f"{title}, then ran: {seen[-1]}")
        print(f"{title}, right: {torch.equal(out, 2 * x)}")

    print("== 2.3.2 what an autotuner launches ==")
    x = torch.arange(1001, dtype=torch.float32, device=DEVICE)
    call("n 1000", x[:1000])
    call("n 1000 again", x[:1000])
    call("n 1001", x)
    call("n 1000 in float16", x[:1000].half())
    print("entries in its cache:", len(counted_add.cache))
    # --8<-- [end:demo]
