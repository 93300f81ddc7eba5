"""Chapter 6 in one program: the tensor contract and wrappers."""

# /// capture
# runners = ["interpreter", "gpu"]
# timeout = 120
# bundle = [
#   "one_address", "strided_scale", "flat_views",
#   "silu", "silu_grad", "silu_op",
# ]
# ///
