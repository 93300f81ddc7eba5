"""11.1: the same choices of num_warps on a GPU, with a plain copy
and torch.matmul as the ceilings."""

# /// capture
# runners = ["gpu"]
# timeout = 400
# [labels]
# "* GB/s" = { kind = "measured", within = 0.2 }
# "* TFLOP/s" = { kind = "measured", within = 0.25 }
# "* of the copy" = { kind = "measured", within = 0.2 }
# "* of torch" = { kind = "measured", within = 0.3 }
# ///

import torch
import triton
import triton.testing

from ch01_model.relu_toggle import _relu_toggle_kernel
from ch11_hardware.matmul import matmul

N = 2**27  # floats
SIZE = 4096  # rows and columns of the matrices
TILE = (128, 128, 64)


def median_ms(fn):
    return triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]


# --8<-- [start:time]
torch.manual_seed(0)
x = torch.randn(N, device="cuda")
out = torch.empty_like(x)
bytes_moved = 2 * 4 * N
copy = bytes_moved / median_ms(lambda: out.copy_(x)) / 1e6
print("== blocks of floats ==")
print("bytes moved:", bytes_moved)
print(f"copy GB/s: {copy:.0f}")
for block in (2048, 16384):
    grid = (triton.cdiv(N, block),)
    for warps in (1, 2, 4, 8, 16, 32):

        def relu():
            _relu_toggle_kernel[grid](
                x, out, N, USE_RELU=True, BLOCK=block,
                num_warps=warps,
            )

        rate = bytes_moved / median_ms(relu) / 1e6
        name = f"BLOCK {block} num_warps {warps}"
        print(f"{name} GB/s: {rate:.0f}")
        print(f"{name} of the copy: {rate / copy:.2f}")
        print(f"{name} right: {torch.equal(out, torch.relu(x))}")

print("== a tile of 128 x 128 sums ==")
a = torch.randn(SIZE, SIZE, device="cuda").half()
b = torch.randn(SIZE, SIZE, device="cuda").half()
operations = 2 * SIZE**3
print("operations:", operations)
ceiling = operations / median_ms(lambda: a @ b) / 1e9
print(f"torch.matmul TFLOP/s: {ceiling:.0f}")
for warps in (2, 4, 8, 16):
    product, kernel = matmul(a, b, TILE, num_warps=warps)
    ms = median_ms(lambda: matmul(a, b, TILE, num_warps=warps))
    rate = operations / ms / 1e9
    print(f"num_warps {warps} TFLOP/s: {rate:.1f}")
    print(f"num_warps {warps} of torch: {rate / ceiling:.3f}")
    close = torch.allclose(product, a @ b, atol=0.5, rtol=1e-2)
    print(f"num_warps {warps} close: {close}")
# --8<-- [end:time]
