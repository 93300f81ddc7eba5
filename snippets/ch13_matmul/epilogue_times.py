"""13.4.2: what the epilogue saves, by length of the sums."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.3 }
# "* over fused" = { kind = "measured", within = 0.25 }
# [speed."linear + GELU, 8192 x 2048 x 8192 bfloat16"]
# library = "cuBLASLt, its own epilogue"
# over_library = "[K 2048 | cuBLASLt with its epilogue over fused]"
# ceiling = "our product alone"
# of_ceiling = "[K 2048 | the product alone over fused]"
# ///

import torch
import torch.nn.functional as F
import triton.testing

from ch13_matmul.epilogue import linear_gelu
from ch13_matmul.grouped import matmul_grouped

M, N = 8192, 8192


def median_ms(fn):
    return triton.testing.do_bench(
        fn, warmup=10, rep=60, quantiles=[0.5, 0.2, 0.8]
    )[0]


def in_steps(x, w, bias):
    return F.gelu(x @ w + bias, approximate="tanh")


# --8<-- [start:time]
compiled = torch.compile(in_steps)
for k in (512, 2048, 8192):
    print(f"== K {k} ==")
    torch.manual_seed(0)
    x = torch.randn(M, k, device="cuda").bfloat16()
    w = torch.randn(k, N, device="cuda").bfloat16() / k**0.5
    bias = torch.randn(N, device="cuda").bfloat16()
    cases = {
        "fused": lambda: linear_gelu(x, w, bias),
        "the product alone": lambda: matmul_grouped(x, w),
        "torch, eager": lambda: in_steps(x, w, bias),
        "torch.compile": lambda: compiled(x, w, bias),
        "cuBLASLt with its epilogue": lambda: (
            torch._addmm_activation(bias, x, w, use_gelu=True)
        ),
    }
    times = {name: median_ms(fn) for name, fn in cases.items()}
    for name, ms in times.items():
        print(f"{name} ms: {ms:.3f}")
        print(f"{name} over fused: {ms / times['fused']:.2f}")
    out, own = linear_gelu(x, w, bias), in_steps(x, w, bias)
    close = torch.allclose(out, own, atol=2e-2, rtol=2e-2)
    print(f"close to torch: {close}")
# --8<-- [end:time]
