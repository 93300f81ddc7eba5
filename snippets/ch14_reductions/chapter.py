"""Chapter 14 in one program: reductions."""

# /// capture
# runners = ["interpreter", "gpu"]
# timeout = 120
# differs = "14.3.1 and 14.3.2: NumPy adds in an order of its own"
# bundle = [
#   "tile_sums", "block_sum", "sum_rows", "bits", "sum_all",
#   "sum_columns", "argmax_rows", "welford_rows",
#   "logsumexp_rows", "cumsum_rows", "recurrence", "scan_all",
# ]
# ///
