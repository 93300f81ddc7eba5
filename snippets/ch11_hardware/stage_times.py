"""11.2: what stages buy on a GPU, with torch.matmul as the ceiling."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* TFLOP/s" = { kind = "measured", within = 0.25 }
# "* of torch" = { kind = "measured", within = 0.3 }
# ///

import torch
import triton
import triton.testing

from ch11_hardware.matmul import matmul

SIZE = 4096  # rows and columns of the matrices
TILES = ((128, 128, 64, 4), (128, 256, 64, 8))


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:time]
torch.manual_seed(0)
a = torch.randn(SIZE, SIZE, device="cuda").half()
b = torch.randn(SIZE, SIZE, device="cuda").half()
operations = 2 * SIZE**3
print("operations:", operations)
ceiling = operations / median_ms(lambda: a @ b) / 1e9
print(f"torch.matmul TFLOP/s: {ceiling:.0f}")
for m, n, k, warps in TILES:
    for stages in (1, 2, 3, 4):

        def tiled():
            options = {"num_warps": warps, "num_stages": stages}
            return matmul(a, b, (m, n, k), **options)

        product, kernel = tiled()
        rate = operations / median_ms(tiled) / 1e9
        name = f"{m} x {n} num_stages {stages}"
        print(f"{name} shared bytes: {kernel.metadata.shared}")
        print(f"{name} TFLOP/s: {rate:.0f}")
        print(f"{name} of torch: {rate / ceiling:.2f}")
        close = torch.allclose(product, a @ b, atol=0.5, rtol=1e-2)
        print(f"{name} close: {close}")
# --8<-- [end:time]
