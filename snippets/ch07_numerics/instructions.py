"""7.5: the instructions of nine functions, by this book's compiler."""

# /// capture
# runners = ["compiler"]
# no_gpu = "ch07_numerics/functions prints the same there."
# ///

from ch07_numerics.functions import NAMES, report

for name in NAMES:
    report(name)
