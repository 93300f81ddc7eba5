"""16.1, 16.5: attention written out and in PyTorch's backends: memory
and time, the mask as an argument, and the default. GPU only."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# [labels]
# "* MiB" = { kind = "measured", within = 0.3 }
# "* ms" = { kind = "measured", within = 0.25 }
# "* TFLOP/s" = { kind = "measured", within = 0.25 }
# "* over *" = { kind = "measured", within = 0.3 }
# ///

import torch
import torch.nn.functional as F
from torch.nn.attention import SDPBackend, sdpa_kernel

from ch16_attention.oracle import attention_oracle
from ch16_attention.sdpa_times import (
    TOKENS,
    WAYS,
    WIDTH,
    inputs,
    median_ms,
)

torch.manual_seed(0)

# --8<-- [start:memory]
print("== memory and time ==")
for length in (1024, 2048, 4096, 8192):
    q, k, v, _ = inputs(length, 128)
    for name, way in (
        ("written out", lambda *x: attention_oracle(*x, causal=True)),
        ("flash", WAYS["flash"]),
    ):
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        way(q, k, v)
        peak = torch.cuda.max_memory_allocated() - before
        print(f"{name} {length} peak MiB: {peak / 2**20:.0f}")
        ms = median_ms(lambda: way(q, k, v))
        print(f"{name} {length} ms: {ms:.2f}")
# --8<-- [end:memory]

# --8<-- [start:mask]
print("== the mask as an argument ==")
q, k, v, _ = inputs(4096, 128)
mask = torch.ones(4096, 4096, dtype=torch.bool, device="cuda").tril()


def with_mask():
    return F.scaled_dot_product_attention(q, k, v, attn_mask=mask)


def with_flag():
    return F.scaled_dot_product_attention(q, k, v, is_causal=True)


close = torch.allclose(with_mask(), with_flag(), atol=2e-2)
print("same result:", close)
flag, tensor = median_ms(with_flag), median_ms(with_mask)
print(f"is_causal ms: {flag:.2f}")
print(f"attn_mask ms: {tensor:.2f}")
print(f"attn_mask over is_causal: {tensor / flag:.1f}")
try:
    with sdpa_kernel(SDPBackend.FLASH_ATTENTION):
        with_mask()
except RuntimeError as error:
    print(f"flash, attn_mask: {str(error).splitlines()[0]}")
# --8<-- [end:mask]

# --8<-- [start:default]
print("== which PyTorch? ==")
q, k, v, _ = inputs(4096, 128)
operations = 2 * 2 * TOKENS * 4096 * WIDTH / 2
ways = WAYS | {"default": lambda *_: with_flag()}
rates = {
    name: operations / median_ms(lambda: way(q, k, v)) / 1e9
    for name, way in ways.items()
}
for name, rate in rates.items():
    print(f"{name} TFLOP/s: {rate:.0f}")
for name in ("flash", "cuDNN", "default"):
    ratio = rates["attention"] / rates[name]
    print(f"attention over {name}: {ratio:.2f}")
print(f"default over cuDNN: {rates['default'] / rates['cuDNN']:.2f}")
# --8<-- [end:default]
