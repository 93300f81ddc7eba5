"""16.5: the forward pass, step by step, tile by tile and in two
orders of programs: 4096 tokens a sequence, causal, bfloat16."""

# /// capture
# runners = ["gpu"]
# timeout = 400
# [labels]
# "* TFLOP/s" = { kind = "measured", within = 0.2 }
# "1 written out over *" = { kind = "measured", within = 0.5 }
# "* over *" = { kind = "measured", within = 0.2 }
# ///

import torch

from ch16_attention.forward import (
    attention_forward,
    attention_kernel,
    relative_error,
)
from ch16_attention.gluon_forward import gluon_forward
from ch16_attention.online import online_attention
from ch16_attention.oracle import attention_oracle
from ch16_attention.sdpa_times import (
    TOKENS,
    WAYS,
    WIDTH,
    inputs,
    median_ms,
)

LENGTH = 4096
# Two products, half of each below the diagonal.
OPERATIONS = 2 * 2 * TOKENS * LENGTH * WIDTH / 2

torch.manual_seed(0)


def rate(call):
    return OPERATIONS / median_ms(call) / 1e9


# --8<-- [start:steps]
q, k, v, _ = inputs(LENGTH, 128)
truth = WAYS["flash"](q, k, v)
steps = {
    "1 written out": lambda: attention_oracle(q, k, v, causal=True),
    "2 online, every block": lambda: online_attention(
        q, k, v, block=64
    ),
    "3 online, causal": lambda: online_attention(
        q, k, v, True, block=64
    ),
    "4 descriptors, two loops": lambda: attention_forward(
        q, k, v, True, tile=(64, 64, 4, 2)
    )[0],
    "5 three stages": lambda: attention_forward(q, k, v, True)[0],
    "6 Gluon": lambda: gluon_forward(q, k, v, True)[0],
}
print("== steps, head dim 128 ==")
flash = rate(lambda: WAYS["flash"](q, k, v))
cudnn = rate(lambda: WAYS["cuDNN"](q, k, v))
print(f"flash TFLOP/s: {flash:.0f}")
print(f"cuDNN TFLOP/s: {cudnn:.0f}")
for name, step in steps.items():
    if "every" not in name:
        close = relative_error(step(), truth) < 1e-2
        print(f"{name}, right: {close}")
    ours = rate(step)
    print(f"{name} TFLOP/s: {ours:.0f}")
    print(f"{name} over flash: {ours / flash:.2f}")
    print(f"{name} over cuDNN: {ours / cudnn:.2f}")
# --8<-- [end:steps]


# --8<-- [start:tiles]
def compiled():
    """The kernel that was compiled last."""
    caches = attention_kernel.device_caches[torch.cuda.current_device()]
    return list(caches[0].values())[-1]


for dim in (64, 128):
    print(f"== tiles, head dim {dim} ==")
    q, k, v, _ = inputs(LENGTH, dim)
    for tile in (
        (128, 128, 8, 2), (128, 64, 8, 3), (128, 64, 4, 2),
        (64, 128, 4, 2), (64, 64, 4, 3),
    ):
        attention_kernel.device_caches.clear()
        ours = rate(lambda: attention_forward(q, k, v, True, tile=tile))
        kernel = compiled()
        threads = 32 * tile[2]
        room = min(
            65536 // (kernel.n_regs * threads),
            233472 // (kernel.metadata.shared + 1024),
        )
        name = " x ".join(str(x) for x in tile)
        print(f"tile {name} TFLOP/s: {ours:.0f}")
        print(f"tile {name} programs: {room}")
        print(
            f"tile {name}: registers {kernel.n_regs}, "
            f"spilled {4 * kernel.n_spills}, "
            f"shared {kernel.metadata.shared}"
        )
    for order, first in (("short first", False), ("long first", True)):
        ours = rate(
            lambda: attention_forward(q, k, v, True, long_first=first)
        )
        print(f"{order} TFLOP/s: {ours:.0f}")
    # --8<-- [end:tiles]
