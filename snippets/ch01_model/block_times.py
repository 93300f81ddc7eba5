"""The same two blocks on a GPU: the one that the interpreter finds
cheap does not fit into the registers."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.25 }
# "* GB/s" = { kind = "measured", within = 0.25 }
# "* share of the copy" = { kind = "measured", within = 0.25 }
# "large block over small" = { kind = "measured", within = 0.3 }
# ///

import torch
import triton

from ch01_model.relu_toggle import relu_toggle

N = 2**27

# --8<-- [start:demo]
torch.manual_seed(0)
x = torch.randn(N, device="cuda")
copy = torch.empty_like(x)
copy_ms = triton.testing.do_bench(
    lambda: copy.copy_(x), quantiles=[0.5, 0.2, 0.8]
)[0]
print("== the ceiling ==")
print("bytes moved:", 2 * 4 * N)
print(f"copy ms: {copy_ms:.4f}")
print(f"copy GB/s: {2 * 4 * N / copy_ms / 1e6:.0f}")
times = []
for block in [2048, 2**16]:
    out, kernel = relu_toggle(x, True, block)
    ms = triton.testing.do_bench(
        lambda: relu_toggle(x, True, block),
        quantiles=[0.5, 0.2, 0.8],
    )[0]
    times.append(ms)
    print(f"== BLOCK {block} ==")
    print("right:", torch.equal(out, torch.relu(x)))
    print("registers per thread:", kernel.n_regs)
    print("registers spilled:", kernel.n_spills)
    print(f"block ms: {ms:.4f}")
    print(f"block GB/s: {2 * 4 * N / ms / 1e6:.0f}")
    print(f"block share of the copy: {copy_ms / ms:.3f}")
print("== compared ==")
print(f"large block over small: {times[1] / times[0]:.1f}")
# --8<-- [end:demo]
