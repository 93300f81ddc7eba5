"""Chapter 9 in one program: prints, a check that fires, a recorder
of accesses, and a bisection. It runs in the interpreter."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "The recorder needs the interpreter."
# bundle = [
#   "who_prints",
#   "counted_check",
#   "recorder",
#   "bisect_steps",
# ]
# ///
