"""20.1.2: add and norm: eager, torch.compile, Liger and the kernels,
time and peak memory."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# [labels]
# "* ms" = { kind = "measured", within = 0.4 }
# "* of its passes" = { kind = "measured", within = 0.4 }
# "* MiB" = { kind = "measured", within = 0.02 }
# "* relative error" = { kind = "bound", limit = 2e-2 }
# "* over the fastest" = { kind = "measured", within = 0.4 }
# [speed."add + RMSNorm, 16384 x 8192 bfloat16"]
# library = "the fastest of eager, torch.compile and Liger"
# over_library = "[forward, kernel over the fastest]"
# ceiling = "four passes at the rate of a copy"
# of_ceiling = "[kernel forward of its passes]"
# [speed."add + RMSNorm, forward and backward"]
# library = "the fastest of eager, torch.compile and Liger"
# over_library = "[step, kernel over the fastest]"
# ceiling = "eight passes at the rate of a copy"
# of_ceiling = "[kernel step of its passes]"
# ///

import torch

from ch20_fused.add_rms_norm import AddRMSNorm, add_rms_norm_eager
from ch20_fused.contest import contest, liger, liger_version, median_ms

ROWS, COLS = 16384, 8192
PASSES = 4, 4  # x, stream, total, out; and their gradients


def main():
    # --8<-- [start:time]
    torch.manual_seed(0)
    print("liger-kernel:", liger_version())
    x, stream, *grads = torch.randn(
        4, ROWS, COLS, device="cuda", dtype=torch.bfloat16
    )
    weight = torch.randn(COLS, device="cuda").bfloat16()
    inputs = x, stream, weight
    copy = median_ms(lambda: x.copy_(stream))
    x.normal_()
    print(f"copy ms: {copy:.4f}")
    theirs = liger(
        "liger_kernel.ops.fused_add_rms_norm",
        "LigerFusedAddRMSNormFunction",
    )
    ways = {
        "eager": add_rms_norm_eager,
        "torch.compile": torch.compile(add_rms_norm_eager),
        "Liger": lambda x, s, w: theirs.apply(
            x, s, w, 1e-5, 0.0, "llama", False
        ),
        "Liger, in place": lambda x, s, w: theirs.apply(
            x, s, w, 1e-5, 0.0, "llama", True
        ),
        "kernel": AddRMSNorm.apply,
    }
    some = [t[:64].float().requires_grad_() for t in inputs[:2]]
    truth = torch.autograd.grad(
        add_rms_norm_eager(*some, weight.float()),
        some,
        [g[:64].float() for g in grads],
    )
    contest(ways, truth, inputs, grads, PASSES, copy)
    # --8<-- [end:time]


if __name__ == "__main__":
    main()
