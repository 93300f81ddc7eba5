"""10.2 on a GPU: how far the host runs ahead, and where it stops."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* ms" = { kind = "measured", within = 0.6 }
# "* over *" = { kind = "measured", within = 0.6 }
# "launches that returned at once" = { kind = "measured", within = 0.5 }
# ///

import time

import torch

from ch12_elementwise.fma_relu import fma_relu_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 2**28


# --8<-- [start:demo]
def elapsed(call):
    start = time.perf_counter()
    call()
    return 1000 * (time.perf_counter() - start)


def launch(x, out):
    n = x.numel()
    grid = (n // 1024,)
    fma_relu_kernel[grid](x, out, 2.0, 1.0, n, BLOCK=1024)


x = torch.randn(N, device=DEVICE)
out = torch.empty_like(x)
launch(x, out)  # compiles
torch.cuda.synchronize()
print("== a hundred launches ==")
queued = elapsed(lambda: [launch(x, out) for _ in range(100)])
waited = elapsed(torch.cuda.synchronize)
print(f"launching ms: {queued:.2f}")
print(f"then waiting ms: {waited:.2f}")
print(f"waiting over launching: {waited / queued:.1f}")

small = x[:1024]
small_out = out[:1024]
launch(small, small_out)
torch.cuda.synchronize()
print("== three thousand, behind a long one ==")
torch.cuda._sleep(1_000_000_000)  # cycles, about half a second
times = [elapsed(lambda: launch(small, small_out)) for _ in range(3000)]
slowest = max(times)
print(f"launches that returned at once: {times.index(slowest)}")
print(f"the one that waited ms: {slowest:.1f}")
print(f"a typical one ms: {sorted(times)[1500]:.4f}")
torch.cuda.synchronize()
# --8<-- [end:demo]
