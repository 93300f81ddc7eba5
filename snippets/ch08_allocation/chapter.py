"""Chapter 8 in one program: allocation."""

# /// capture
# runners = ["interpreter", "gpu"]
# timeout = 120
# bundle = [
#   "centre", "compact", "lower", "difference", "overlap",
#   "column_sums",
# ]
# ///
