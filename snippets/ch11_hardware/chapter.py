"""Chapter 11 in one program."""

# /// capture
# bundle = [
#   "three_warps", "matmul", "stage_limit", "small_dot",
#   "padded_dot", "bf16_dot", "precision_digits", "precision_error",
#   "precision_test",
# ]
# differs = """
# No warps, no shared memory and no tensor cores in NumPy."""
# [labels]
# "* error" = { kind = "bound", limit = 1e-2 }
# ///
