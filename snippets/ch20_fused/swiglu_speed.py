"""20.2.2: SwiGLU: eager, torch.compile, Liger and the kernels, time
and peak memory."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# [labels]
# "* ms" = { kind = "measured", within = 0.4 }
# "* of its passes" = { kind = "measured", within = 0.4 }
# "* MiB" = { kind = "measured", within = 0.02 }
# "* relative error" = { kind = "bound", limit = 2e-2 }
# "* over the fastest" = { kind = "measured", within = 0.4 }
# [speed."SwiGLU, 16384 x 14336 bfloat16"]
# library = "the fastest of eager, torch.compile and Liger"
# over_library = "[forward, kernel over the fastest]"
# ceiling = "three passes at the rate of a copy"
# of_ceiling = "[kernel forward of its passes]"
# [speed."SwiGLU, forward and backward"]
# library = "the fastest of eager, torch.compile and Liger"
# over_library = "[step, kernel over the fastest]"
# ceiling = "eight passes at the rate of a copy"
# of_ceiling = "[kernel step of its passes]"
# ///

import torch

from ch20_fused.contest import contest, liger, liger_version, median_ms
from ch20_fused.swiglu import SwiGLU, swiglu_eager

ROWS, HIDDEN = 16384, 14336
PASSES = 3, 5  # of half of pair; gate, up, out, and two gradients more


def main():
    # --8<-- [start:time]
    torch.manual_seed(0)
    print("liger-kernel:", liger_version())
    pair = torch.randn(
        ROWS, 2 * HIDDEN, device="cuda", dtype=torch.bfloat16
    )
    grad, target = torch.randn(
        2, ROWS, HIDDEN, device="cuda", dtype=torch.bfloat16
    )
    copy = median_ms(lambda: target.copy_(grad))
    print(f"copy ms: {copy:.4f}")
    theirs = liger(
        "liger_kernel.ops.swiglu", "LigerFusedGateUpSiLUMulFunction"
    )
    ways = {
        "eager": swiglu_eager,
        "torch.compile": torch.compile(swiglu_eager),
        "Liger": lambda x: theirs.apply(x, False),
        "Liger, in place": lambda x: theirs.apply(x, True),
        "kernel": SwiGLU.apply,
        "kernel, in place": lambda x: SwiGLU.apply(x, True),
    }
    some = pair[:64].float().requires_grad_()
    truth = torch.autograd.grad(
        swiglu_eager(some), some, grad[:64].float()
    )
    contest(ways, truth, [pair], [grad], PASSES, copy)
    # --8<-- [end:time]


if __name__ == "__main__":
    main()
