"""18.4: what is left for the benchmark: a prune, a model and top_k."""

# /// capture
# runners = ["interpreter", "gpu"]
# ///

import torch
import triton

from ch18_autotuning.in_place import add_to, tuned_add

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:demo]
EIGHT = [
    triton.Config({"BLOCK": block}, num_warps=warps)
    for block in (64, 128, 256, 512)
    for warps in (1, 4)
]


def small_enough(configs, named, **launch):
    """early_config_prune: of the list, what may be tried."""
    return [c for c in configs if c.kwargs["BLOCK"] < 2 * named["n"]]


def lanes(n, BLOCK, num_warps, **rest):
    """perf_model: any number, and less is better."""
    return triton.cdiv(n, BLOCK) * BLOCK / num_warps


def tried_with(prune):
    """The configs that reach the benchmark."""
    trials = []

    def pretend(kernel_call, quantiles):
        trials.append(kernel_call())
        return [1.0 for _ in quantiles]

    kernel = tuned_add(
        EIGHT, prune_configs_by=prune, do_bench=pretend
    )
    x = torch.zeros(100, device=DEVICE)
    add_to(kernel, x, x)
    return len(trials)


print("== 18.4 what is tried, of 8 ==")
early = {"early_config_prune": small_enough}
for title, prune in (
    ("nothing", None),
    ("early_config_prune", early),
    ("and a model, top_k 2", early | {"perf_model": lanes, "top_k": 2}),
    ("a model, top_k 0.5", {"perf_model": lanes, "top_k": 0.5}),
    ("a model, top_k 1.0", {"perf_model": lanes, "top_k": 1.0}),
    ("a model, top_k 1", {"perf_model": lanes, "top_k": 1}),
    ("a model without top_k", {"perf_model": lanes}),
):
    print(f"{title}: {tried_with(prune)}")
# --8<-- [end:demo]

print("== 18.4 nothing is left ==")
# --8<-- [start:empty]
try:
    tried_with({"perf_model": lanes, "top_k": 0.1})
except ValueError as error:
    print("top_k 0.1, raised:", type(error).__name__)
try:
    tried_with({"early_config_prune": lambda *args, **launch: []})
except Exception as error:
    print("an empty prune, raised:", type(error).__name__)
    print("message:", error)
# --8<-- [end:empty]
