"""8.5 on a GPU: a tensor for which only the fused kernel has room."""

# /// capture
# runners = ["gpu"]
# timeout = 200
# [labels]
# # So that the engine runs this program alone.
# "GiB free at the start" = { kind = "volatile" }
# ///

import torch

from ch12_elementwise.fma_relu import fma_relu_kernel, fused_fma_relu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 12 * 2**30  # elements: 48 GiB of float32
A, B = 2.0, -1.0

# --8<-- [start:demo]
free, total = torch.cuda.mem_get_info()
print(f"GiB free at the start: {free / 2**30:.1f}")
x = torch.ones(N, device=DEVICE)
print(f"GiB of x: {x.numel() * x.element_size() // 2**30}")


def in_place(x):
    fma_relu_kernel[(N // 1024,)](x, x, A, B, N, BLOCK=1024)
    return x


for name, fn in [
    ("nested", lambda x: torch.relu(A * x + B)),
    ("fused", lambda x: fused_fma_relu(x, A, B)),
    ("fused, in place", in_place),
]:
    torch.cuda.empty_cache()
    torch.cuda.reset_peak_memory_stats()
    try:
        y = fn(x)
        print(f"{name}: {y[0].item()}, {y[-1].item()}")
        del y
    except torch.OutOfMemoryError as error:
        message = str(error).split(". ")
        print(f"{name}: {type(error).__name__}: {message[0]}")
        print(f"{name}, wanted: {message[1]}")
    peak = torch.cuda.max_memory_allocated() / 2**30
    print(f"{name}, peak GiB: {peak:.0f}")
# --8<-- [end:demo]
