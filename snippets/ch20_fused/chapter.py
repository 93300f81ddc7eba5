"""Chapter 20 in one program: fused kernels, and a block of them."""

# /// capture
# runners = ["interpreter", "gpu"]
# timeout = 300
# bundle = [
#     "add_rms_norm", "swiglu", "rope", "linear_cross_entropy",
#     "block",
# ]
# [labels]
# "* relative diff" = { kind = "bound", limit = 2e-2 }
# "* relative error" = { kind = "bound", limit = 2e-5 }
# ///
