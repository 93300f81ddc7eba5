"""9.6: the smallest wrong input, recorded: which elements the gate's
load takes."""

# /// capture
# runners = ["replay"]
# no_gpu = "It records the interpreter."
# ///

from ch09_debugging.bisect_steps import data, gated_norm

gated_norm(*data(3, 1), stop=3)
gated_norm(*data(3, 1), stop=3, mended=True)
