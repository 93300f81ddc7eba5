"""11.5: dtype and tile against TFLOP/s on a GPU, with torch.matmul
as the ceiling."""

# /// capture
# runners = ["gpu"]
# timeout = 500
# [labels]
# "* TFLOP/s" = { kind = "measured", within = 0.25 }
# "* of torch" = { kind = "measured", within = 0.3 }
# ///

import torch
import triton
import triton.testing

from ch11_hardware.matmul import matmul

SIZE = 4096  # rows and columns of the matrices
TILES = (
    (16, 16, 32, 4),
    (32, 32, 32, 4),
    (32, 128, 32, 4),
    (128, 32, 32, 4),
    (64, 64, 32, 4),
    (128, 64, 32, 4),
    (128, 128, 32, 8),
    (128, 256, 32, 8),
)


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:time]
torch.set_float32_matmul_precision("high")  # tf32 for torch too
operations = 2 * SIZE**3
print("operations:", operations)
for dtype in (torch.float16, torch.bfloat16, torch.float32):
    torch.manual_seed(0)
    a = torch.randn(SIZE, SIZE, device="cuda").to(dtype)
    b = torch.randn(SIZE, SIZE, device="cuda").to(dtype)
    print(f"== {dtype} ==".replace("torch.", ""))
    ceiling = operations / median_ms(lambda: a @ b) / 1e9
    print(f"torch.matmul TFLOP/s: {ceiling:.0f}")
    for m, n, k, warps in TILES:

        def tiled():
            return matmul(a, b, (m, n, k), num_warps=warps)[0]

        rate = operations / median_ms(tiled) / 1e9
        name = f"{m} x {n}"
        print(f"{name} TFLOP/s: {rate:.1f}")
        print(f"{name} of torch: {rate / ceiling:.3f}")
        close = torch.allclose(tiled(), a @ b, atol=2, rtol=2e-2)
        print(f"{name} close: {close}")
# --8<-- [end:time]
