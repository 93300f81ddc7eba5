"""Chapter 13 in one program: one element, tiles in groups, an
epilogue, descriptors, a persistent loop, and any size."""

# /// capture
# bundle = [
#   "naive", "k_tail", "grouped", "clipped", "epilogue",
#   "bias_inside", "descriptors", "persistent", "multiply",
#   "wrong_step",
# ]
# [labels]
# "* error" = { kind = "bound", limit = 2e-3 }
# ///
