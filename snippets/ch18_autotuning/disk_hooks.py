"""18.5: a winner that is read from disk, and hooks that never ran."""

# /// capture
# runners = ["compiler"]
# no_gpu = "It counts hooks, which run on the host."
# ///

import torch

from ch18_autotuning.in_place import BLOCKS, add_to, tuned_add

# --8<-- [start:demo]
ran = []


def note(named, reset_only=False):
    """A pre_hook, where reset_to_zero would zero."""
    ran.append("reset only" if reset_only else "before a trial")


x = torch.zeros(100)
print("== 18.5 hooks, and a winner from disk ==")
for title in ("first autotuner", "second autotuner"):
    ran.clear()
    kernel = tuned_add(BLOCKS, pre_hook=note, cache_results=True)
    add_to(kernel, x, x)
    trials, resets = map(ran.count, ("before a trial", "reset only"))
    print(f"{title}: before trials {trials}, reset only {resets}")
# --8<-- [end:demo]
