"""13.4: a bias that is added in every step of the K loop: what the
result is depends on BLOCK_K."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
K = 64


# --8<-- [start:kernel]
@triton.jit
def early_bias_kernel(
    x_ptr,  # address of x, 16 x K, row by row
    w_ptr,  # address of w, K x 16, row by row
    bias_ptr,  # address of bias[0], 16 elements
    out_ptr,  # address of out, 16 x 16, float32
    K,  # columns of x, a multiple of BLOCK_K
    BLOCK_K: tl.constexpr,  # how many terms a step takes
):
    i = tl.arange(0, 16)
    acc = tl.zeros((16, 16), dtype=tl.float32)
    bias = tl.load(bias_ptr + i).to(tl.float32)
    for start in range(0, K, BLOCK_K):
        k = start + tl.arange(0, BLOCK_K)
        x = tl.load(x_ptr + i[:, None] * K + k[None, :])
        w = tl.load(w_ptr + k[:, None] * 16 + i[None, :])
        acc = tl.dot(x, w, acc) + bias[None, :]
    tl.store(out_ptr + i[:, None] * 16 + i[None, :], acc)
# --8<-- [end:kernel]


print("== a bias of 100, 64 terms of 1 ==")
x = torch.ones(16, K, device=DEVICE).half()
w = torch.ones(K, 16, device=DEVICE).half()
bias = torch.full((16,), 100.0, device=DEVICE).half()
for block_k in (64, 32, 16):
    out = torch.empty(16, 16, device=DEVICE)
    early_bias_kernel[(1,)](x, w, bias, out, K, BLOCK_K=block_k)
    print(f"BLOCK_K {block_k}: {out[0, 0].item()}")
