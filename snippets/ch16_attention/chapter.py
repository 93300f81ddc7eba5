"""Chapter 16 in one program: an oracle, a row in two turns, attention
block by block, forward and backward."""

# /// capture
# runners = ["interpreter", "gpu"]
# timeout = 240
# bundle = ["oracle", "trace", "online", "forward", "backward"]
# [labels]
# "max abs diff *" = { kind = "bound", limit = 2e-6 }
# "torch.float32*error" = { kind = "bound", limit = 2e-6 }
# "torch.float16*error" = { kind = "bound", limit = 2e-3 }
# ///
