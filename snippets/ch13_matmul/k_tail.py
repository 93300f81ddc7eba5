"""13.2: the tail of K, which no mask of rows and columns reaches."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
M, N, K = 16, 16, 20
BLOCK_K = 32


# --8<-- [start:kernel]
@triton.jit
def tail_kernel(
    a_ptr,  # address of a, 16 x K, rows of K elements
    b_ptr,  # address of b, K x 16, rows of 16 elements
    out_ptr,  # address of a @ b, 16 x 16, float32
    K,  # columns of a, rows of b
    MASK_A: tl.constexpr,  # whether loads of a stop at K
    MASK_B: tl.constexpr,  # whether loads of b stop at K
    BLOCK_K: tl.constexpr,  # how many terms a step takes
):
    i = tl.arange(0, 16)
    acc = tl.zeros((16, 16), dtype=tl.float32)
    for start in range(0, K, BLOCK_K):
        k = start + tl.arange(0, BLOCK_K)
        a_mask = (k < K) | (not MASK_A)
        b_mask = (k < K) | (not MASK_B)
        a = tl.load(
            a_ptr + i[:, None] * K + k[None, :],
            mask=a_mask[None, :],
            other=0.0,
        )
        b = tl.load(
            b_ptr + k[:, None] * 16 + i[None, :],
            mask=b_mask[:, None],
            other=0.0,
        )
        acc = tl.dot(a, b, acc)
    tl.store(out_ptr + i[:, None] * 16 + i[None, :], acc)
# --8<-- [end:kernel]


# --8<-- [start:demo]
print("== the tail of K ==")
# Ones, and what lies behind them in memory.
for behind in (1.0, float("inf")):
    a_memory = torch.ones(M * K + BLOCK_K, device=DEVICE).half()
    b_memory = torch.full((BLOCK_K, N), behind, device=DEVICE).half()
    b_memory[:K] = 1.0
    for name, mask_a, mask_b in (
        ("no mask", False, False),
        ("only a", True, False),
        ("only b", False, True),
        ("both", True, True),
    ):
        out = torch.empty(M, N, device=DEVICE)
        tail_kernel[(1,)](
            a_memory, b_memory, out, K,
            MASK_A=mask_a, MASK_B=mask_b, BLOCK_K=BLOCK_K,
        )
        corner = out[0, 0].item()
        print(f"{behind} behind b, {name}: {corner}")
# --8<-- [end:demo]
