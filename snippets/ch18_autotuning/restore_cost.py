"""18.2: what reset_to_zero and restore_value do to the times that a
search compares, and a search without either."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* ms" = { kind = "measured", within = 0.4 }
# "BLOCK *" = { kind = "measured", within = 0.3 }
# "slowest over *" = { kind = "measured", within = 0.3 }
# "acted" = { kind = "volatile" }
# ///

import torch
import triton

from ch02_parameterization.autotune_attempt import autotuned_add
from ch18_autotuning.sum_space import short_bench

QUANTILES = [0.5, 0.2, 0.8]

# --8<-- [start:demo]
FOUR = [
    triton.Config({"BLOCK": block}, num_warps=4)
    for block in (64, 256, 1024, 4096)
]
WAYS = {
    "nothing": {},
    "reset_to_zero": {"reset_to_zero": ["x_ptr"]},
    "restore_value": {"restore_value": ["x_ptr"]},
}


def add_to(kernel, x, y):
    """x += y, in place."""
    n = x.numel()
    grid = lambda meta: (triton.cdiv(n, meta["BLOCK"]),)  # noqa: E731
    kernel[grid](x, y, x, n)


def tuned(**options):
    options |= {"key": ["n"], "do_bench": short_bench}
    return triton.autotune(FOUR, **options)(autotuned_add.fn)


def tell(times):
    """Each config's time, and how far apart they are."""
    for config, found in times.items():
        print(f"BLOCK {config.kwargs['BLOCK']}: {found[0]:.4f}")
    found = [t[0] for t in times.values()]
    print(f"best ms: {min(found):.4f}")
    print(f"slowest over best: {max(found) / min(found):.2f}")


for n in (2**26, 2**21):
    x, y = torch.zeros(n, device="cuda"), torch.randn(n, device="cuda")
    for way, options in WAYS.items():
        print(f"== {n} floats, {way} ==")
        kernel = tuned(**options)
        add_to(kernel, x, y)
        tell(kernel.configs_timings)
    print(f"== {n} floats, pieces of it ==")
    kept = x.clone()
    for title, fn in (
        ("clone ms", lambda: x.clone()),
        ("copy back ms", lambda: x.copy_(kept)),
        ("zero ms", lambda: x.zero_()),
    ):
        print(f"{title}: {short_bench(fn, QUANTILES)[0]:.4f}")
# --8<-- [end:demo]

# --8<-- [start:default]
print("== the default benchmark, one call ==")
kernel = triton.autotune(FOUR, key=["n"])(autotuned_add.fn)
x, y = torch.zeros(1000, device="cuda"), torch.ones(1000, device="cuda")
add_to(kernel, x, y)
print(f"acted: {x[0].item():.0f}")
# --8<-- [end:default]

# --8<-- [start:spare]
print("== tuned on a spare tensor first ==")
kernel = tuned()
spare = torch.zeros(1000, device="cuda")
add_to(kernel, spare, y)
x.zero_()
add_to(kernel, x, y)
print(f"the real tensor after one call: {x[0].item():.1f}")
# --8<-- [end:spare]
