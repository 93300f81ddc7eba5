"""20.3.2: RoPE: eager, torch.compile, Liger and the kernel, time and
peak memory."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# [labels]
# "* ms" = { kind = "measured", within = 0.4 }
# "* of its passes" = { kind = "measured", within = 0.4 }
# "* MiB" = { kind = "measured", within = 0.02 }
# "* relative error" = { kind = "bound", limit = 2e-2 }
# "* over the fastest" = { kind = "measured", within = 0.4 }
# [speed."RoPE, 16384 x 64 x 128 bfloat16"]
# library = "the fastest of eager, torch.compile and Liger"
# over_library = "[forward, kernel over the fastest]"
# ceiling = "a plain copy"
# of_ceiling = "[kernel forward of its passes]"
# [speed."RoPE, forward and backward"]
# library = "the fastest of eager, torch.compile and Liger"
# over_library = "[step, kernel over the fastest]"
# ceiling = "two plain copies"
# of_ceiling = "[kernel step of its passes]"
# ///

import torch

from ch20_fused.contest import contest, liger, liger_version, median_ms
from ch20_fused.rope import Rope, rope_eager, rope_into, rope_table

BATCH, LENGTH, HEADS, DIM = 4, 4096, 32, 128  # of q, and of k
PASSES = 2, 2


def main():
    # --8<-- [start:time]
    torch.manual_seed(0)
    print("liger-kernel:", liger_version())
    both, target, grads = torch.randn(
        3, 2, BATCH, LENGTH, HEADS, DIM, device="cuda",
        dtype=torch.bfloat16,
    )  # fmt: skip
    q, k = both
    copy = median_ms(lambda: target.copy_(both))
    print(f"copy ms: {copy:.4f}")
    cos, sin = rope_table(LENGTH, DIM)
    wide = [t.repeat(1, 2)[None] for t in (cos, sin)]
    theirs = liger("liger_kernel.ops.rope", "LigerRopeFunction")

    def eager(*both):
        return [rope_eager(x, cos, sin) for x in both]

    def of_liger(*both):  # it wants the heads first
        turned = theirs.apply(*(x.transpose(1, 2) for x in both), *wide)
        return [x.transpose(1, 2) for x in turned]

    ways = {
        "eager": eager,
        "torch.compile": torch.compile(eager),
        "Liger": of_liger,
        "kernel": lambda *both: [
            Rope.apply(x, cos, sin) for x in both
        ],
    }
    some = [x[:1].float().requires_grad_() for x in (q, k)]
    truth = torch.autograd.grad(
        eager(*some), some, [g[:1].float() for g in grads]
    )
    contest(ways, truth, [q, k], grads, PASSES, copy)
    target = target.view(-1, LENGTH, HEADS, DIM)  # k behind q
    once = median_ms(lambda: rope_into(target, target, cos, sin))
    print(f"one launch for both ms: {once:.4f}")
    print(f"one launch for both of its passes: {copy / once:.3f}")
    # --8<-- [end:time]


if __name__ == "__main__":
    main()
