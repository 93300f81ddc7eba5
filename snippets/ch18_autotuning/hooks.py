"""18.2: which hook runs when, and what an own hook replaces."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch
import triton

from ch18_autotuning.in_place import BLOCKS, add_to, tuned_add

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:order]
events = []


def one_call(kernel_call, quantiles):
    kernel_call()
    events.append("timed")
    return [1.0 for _ in quantiles]


def before(named, reset_only=False):
    events.append("pre, reset only" if reset_only else "pre")


def after(named, exception):
    events.append("post")


def of_config(named):
    events.append(f"hook of {named['BLOCK']}")


kernel = tuned_add(
    [
        triton.Config({"BLOCK": block}, pre_hook=of_config)
        for block in (64, 128)
    ],
    pre_hook=before,
    post_hook=after,
    do_bench=one_call,
)
x = torch.zeros(100, device=DEVICE)
ones = torch.ones(100, device=DEVICE)
print("== 18.2 the order of hooks ==")
for call in ("first", "second"):
    events.clear()
    add_to(kernel, x, ones)
    print(f"{call} call: {' | '.join(events)}")
# --8<-- [end:order]

print("== 18.2 an own hook beside reset_to_zero ==")
# --8<-- [start:replaced]
for title, options in (
    ("reset_to_zero", {}),
    ("reset_to_zero and pre_hook", {"pre_hook": before}),
):
    kernel = tuned_add(BLOCKS, reset_to_zero=["x_ptr"], **options)
    x = torch.zeros(100, device=DEVICE)
    add_to(kernel, x, ones)
    print(f"{title}, 0 + 1: {x[0].item():.1f}")
kernel = tuned_add(
    BLOCKS, restore_value=["x_ptr"], pre_hook=before
)
try:
    add_to(kernel, x, ones)
except AttributeError as error:
    print("restore_value and pre_hook:", type(error).__name__)
    print("message:", error)
# --8<-- [end:replaced]
