"""18.1: the matmul of 13.3 with a search in front of it."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "It times nothing; search_matmul does."
# ///

import torch
import triton

from ch13_matmul.grouped import grouped_kernel
from ch13_matmul.naive import check_matrices
from ch18_autotuning.sum_space import short_bench

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:space]
TILES = (  # BLOCK_M, BLOCK_N, BLOCK_K, num_warps
    (128, 256, 64, 8),
    (128, 256, 64, 4),
    (128, 128, 64, 4),
    (128, 64, 64, 4),
    (64, 64, 64, 4),
    (16, 64, 128, 4),
)


def matmul_config(m, n, k, warps, stages):
    shape = {"BLOCK_M": m, "BLOCK_N": n, "BLOCK_K": k, "GROUP": 8}
    return triton.Config(shape, num_warps=warps, num_stages=stages)


MATMUL_SPACE = [
    matmul_config(*tile, stages)
    for tile in TILES
    for stages in (3, 4, 5)
]


def tuned_matmul(configs=MATMUL_SPACE, **options):
    """grouped_kernel under a new autotuner, with an empty cache."""
    options = {"do_bench": short_bench} | options
    return triton.autotune(
        configs, key=["M", "N", "K"], **options
    )(grouped_kernel)


def run_matmul(kernel, a, b):
    """a @ b by an autotuned kernel."""
    check_matrices(a, b)
    (m, k), n = a.shape, b.shape[1]
    out = torch.empty(m, n, dtype=a.dtype, device=a.device)
    if out.numel() > 0:
        kernel[lambda meta: (
            triton.cdiv(m, meta["BLOCK_M"])
            * triton.cdiv(n, meta["BLOCK_N"]),
        )](a, b, out, m, n, k, *a.stride(), *b.stride())
    return out
# --8<-- [end:space]


if __name__ == "__main__":
    print("== 18.1.2 the space ==")
    print("configs:", len(MATMUL_SPACE))
    kernel = tuned_matmul(MATMUL_SPACE[-1:])
    torch.manual_seed(0)
    a = torch.randint(-2, 3, (70, 50)).half().to(DEVICE)
    b = torch.randint(-2, 3, (50, 90)).half().to(DEVICE)
    exact = (a.double() @ b.double()).half()
    print("right:", torch.equal(run_matmul(kernel, a, b), exact))
