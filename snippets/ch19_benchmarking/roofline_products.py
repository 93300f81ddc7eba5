"""19.4: the kernels of chapters 11, 13 and 17.5 under the roof."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "copy TB/s" = { kind = "measured", within = 0.15 }
# "* TOP/s" = { kind = "measured", within = 0.25 }
# "ch*" = { kind = "measured", within = 0.3 }
# ///

import torch
import triton
import triton.language as tl

from ch11_hardware.matmul import matmul_kernel
from ch13_matmul.descriptors import matmul_descriptors
from ch13_matmul.epilogue import linear_gelu
from ch13_matmul.grouped import matmul_grouped
from ch13_matmul.naive import matmul_elements
from ch13_matmul.persistent import matmul_persistent
from ch13_matmul.specialized import matmul_specialized
from ch17_atomics.split_k import split_matmul
from ch19_benchmarking.roofline import show_points

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def first_matmul(a, b):
    """Chapter 11's kernel, with tiles of 64 x 64."""
    (m, k), n = a.shape, b.shape[1]
    out = a.new_empty(m, n)
    matmul_kernel[(triton.cdiv(m, 64), triton.cdiv(n, 64))](
        a, b, out, m, n, k, *b.stride(), BLOCK_M=64, BLOCK_N=64,
        BLOCK_K=32, PRECISION="ieee", ACC=tl.float32,
    )  # fmt: skip
    return out


# --8<-- [start:cases]
def cases(size, little, terms):
    """Name, operations, bytes, tensor cores?, launch. A product of
    m x k by k x n: 2 * m * n * k, and each matrix once."""
    a, b = torch.randn(2, size, size, device=DEVICE).bfloat16()
    bias = a[0].contiguous()
    c, d = (t[:little, :little].contiguous() for t in (a, b))
    x, g = torch.randn(2, terms, 64, device=DEVICE).bfloat16()
    work, moved = 2 * size**3, 6 * size**2
    return [
        ("ch11.matmul_kernel", work, moved, True,
         lambda: first_matmul(a, b)),
        # a program for each element of the result
        ("ch13.element_kernel", 2 * little**3, 6 * little**2, True,
         lambda: matmul_elements(c, d, 512)),
        ("ch13.grouped_kernel", work, moved, True,
         lambda: matmul_grouped(a, b)),
        ("ch13.descriptor_kernel", work, moved, True,
         lambda: matmul_descriptors(a, b)),
        ("ch13.persistent_kernel", work, moved, True,
         lambda: matmul_persistent(a, b)),
        ("ch13.specialized_kernel", work, moved, True,
         lambda: matmul_specialized(a, b)),
        # and bias and GELU: 16 for each element of the result
        ("ch13.linear_gelu_kernel", work + 16 * size**2, moved, True,
         lambda: linear_gelu(a, b, bias)),
        # two tall factors, a result of 64 x 64
        ("ch17.split_kernel", 2 * 64 * 64 * terms, 256 * terms, True,
         lambda: split_matmul(
             x.T, g, (64, 64, 64), 132, num_warps=4, num_stages=6)),
    ]  # fmt: skip
# --8<-- [end:cases]


if __name__ == "__main__":
    torch.manual_seed(0)
    show_points({"chapters 11, 13 and 17": cases(8192, 1024, 2**21)})
