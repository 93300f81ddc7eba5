"""Chapter 15 in one program: softmax, LayerNorm and RMSNorm."""

# /// capture
# runners = ["interpreter", "gpu"]
# timeout = 120
# bundle = [
#   "softmax", "online_pair", "online", "layer_norm", "rms_norm",
#   "norm_backward",
# ]
# differs = """The compiled division rounds the mean a little above
# 10, so the middle element is a negative number that rounds to 0."""
# [labels]
# "* max abs diff" = { kind = "bound", limit = 5e-2 }
# "* relative diff" = { kind = "bound", limit = 2e-2 }
# ///
