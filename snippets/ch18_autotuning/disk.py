"""18.5: results that Triton keeps on disk, by cache_results."""

# /// capture
# runners = ["interpreter", "gpu"]
# differs = "Under the interpreter nothing is kept."
# ///

import os
from pathlib import Path

import torch
import triton

from ch02_parameterization.autotune_attempt import autotuned_add
from ch18_autotuning.in_place import BLOCKS, add_to

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:demo]
def later_is_faster(trial):
    return -trial


def trials_of(n, configs=BLOCKS, keep=True, ms_of=later_is_faster):
    """A new autotuner, as a new process has one; how many trials."""
    trials = []

    def pretend(kernel_call, quantiles):
        trials.append(kernel_call())
        return [float(ms_of(len(trials))) for _ in quantiles]

    kernel = triton.autotune(
        configs, key=["n"], do_bench=pretend, cache_results=keep
    )(autotuned_add.fn)
    add_to(kernel, x[:n], x[:n])
    winner = kernel.best_config.kwargs["BLOCK"]
    return f"{len(trials)} trials, BLOCK {winner}"


x = torch.zeros(200, device=DEVICE)
hooked = [
    triton.Config({"BLOCK": b}, pre_hook=lambda named: None)
    for b in (64, 128, 256)
]
print("== 18.5 kept on disk ==")
print("first autotuner:", trials_of(100))
print("second autotuner:", trials_of(100))
print("another n:", trials_of(101))
print("a shorter list:", trials_of(100, BLOCKS[:2]))
print("with hooks, first:", trials_of(100, hooked))
print("with hooks, second:", trials_of(100, hooked))
print(
    "a stopwatch that disagrees:",
    trials_of(100, ms_of=lambda trial: trial),
)
print("not asked to keep:", trials_of(100, keep=False))
os.environ["TRITON_CACHE_AUTOTUNING"] = "1"
print("asked by the environment:", trials_of(100, keep=False))
folder = Path(triton.knobs.cache.dir)
print("files kept:", len(list(folder.glob("*/*.autotune.json"))))
# --8<-- [end:demo]
