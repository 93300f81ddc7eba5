"""Chapter 7 in one program: dtypes and numerics."""

# /// capture
# runners = ["interpreter", "gpu"]
# timeout = 120
# bundle = [
#   "promotion", "rounding", "stall", "row_sums",
#   "dot_rows", "special_values",
# ]
# ///
