"""Trap of 10.2 on a GPU: an asynchronous copy reads host memory
later than the line that asked for it."""

# /// capture
# runners = ["gpu"]
# ///

import torch

from ch12_elementwise.fma_relu import fused_fma_relu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**20

# --8<-- [start:demo]
staging = torch.empty(N, pin_memory=True)  # filled for each batch
copied = torch.cuda.Event()


def two_batches(wait):
    results = []
    torch.cuda.synchronize()
    torch.cuda._sleep(200_000_000)  # the GPU is behind, as usual
    for batch in (1.0, 2.0):
        if wait:
            copied.synchronize()  # the last copy has read staging
        staging.fill_(batch)
        x = staging.to(DEVICE, non_blocking=True)
        copied.record()
        results.append(fused_fma_relu(x, 10.0, 0.0))
    return [result[0].item() for result in results]


two_batches(wait=True)  # compiles
print("== ten times each batch, of ones and of twos ==")
print(f"staging filled at once: {two_batches(wait=False)}")
print(f"after the last copy: {two_batches(wait=True)}")
# --8<-- [end:demo]
