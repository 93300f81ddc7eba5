"""16.5: causal attention, forward and backward, against PyTorch's
flash and cuDNN backends, and the forward pass in Gluon."""

# /// capture
# runners = ["gpu"]
# timeout = 400
# [labels]
# "* TFLOP/s" = { kind = "measured", within = 0.2 }
# "* over flash" = { kind = "measured", within = 0.2 }
# "* over cuDNN" = { kind = "measured", within = 0.2 }
# "couples over row *" = { kind = "measured", within = 0.2 }
# "* of cuBLAS" = { kind = "measured", within = 0.2 }
# [speed."attention forward, causal, dim 64, 4096, bf16"]
# library = "flash SDPA"
# over_library = "[head dim 64 | forward 4096 over flash]"
# ceiling = "cuBLAS, 8192 x 8192 x 8192"
# of_ceiling = "[head dim 64 | forward 4096 of cuBLAS]"
# [speed."attention forward, causal, dim 128, 4096, bf16"]
# library = "flash SDPA"
# over_library = "[head dim 128 | forward 4096 over flash]"
# ceiling = "cuBLAS, 8192 x 8192 x 8192"
# of_ceiling = "[head dim 128 | forward 4096 of cuBLAS]"
# [speed."attention forward, Gluon, causal, dim 64, 4096, bf16"]
# library = "cuDNN SDPA"
# over_library = "[head dim 64 | Gluon 4096 over cuDNN]"
# ceiling = "cuBLAS, 8192 x 8192 x 8192"
# of_ceiling = "[head dim 64 | Gluon 4096 of cuBLAS]"
# [speed."attention forward, Gluon, causal, dim 128, 4096, bf16"]
# library = "cuDNN SDPA"
# over_library = "[head dim 128 | Gluon 4096 over cuDNN]"
# ceiling = "cuBLAS, 8192 x 8192 x 8192"
# of_ceiling = "[head dim 128 | Gluon 4096 of cuBLAS]"
# [speed."attention backward, causal, dim 64, 4096, bf16"]
# library = "flash SDPA"
# over_library = "[head dim 64 | backward 4096 over flash]"
# ceiling = "cuBLAS, 8192 x 8192 x 8192"
# of_ceiling = "[head dim 64 | backward 4096 of cuBLAS]"
# [speed."attention backward, causal, dim 128, 4096, bf16"]
# library = "flash SDPA"
# over_library = "[head dim 128 | backward 4096 over flash]"
# ceiling = "cuBLAS, 8192 x 8192 x 8192"
# of_ceiling = "[head dim 128 | backward 4096 of cuBLAS]"
# ///

import torch
import torch.nn.functional as F
import triton.testing
from torch.nn.attention import SDPBackend, sdpa_kernel

from ch16_attention.backward import attention
from ch16_attention.gluon_forward import gluon_forward

TOKENS = 16384  # batch times length
WIDTH = 2048  # heads times head dim
LENGTHS = (1024, 2048, 4096, 8192, 16384)


# --8<-- [start:setup]
def median_ms(fn, warmup=10, rep=60):
    return triton.testing.do_bench(
        fn, warmup=warmup, rep=rep, quantiles=[0.5, 0.2, 0.8]
    )[0]


def medians_ms(calls):
    """The median of three rounds in which the calls take turns: what
    slows a hot GPU slows them alike."""
    rounds = [
        [median_ms(call, 4, 20) for call in calls.values()]
        for _ in range(3)
    ]
    medians = (sorted(times)[1] for times in zip(*rounds))
    return dict(zip(calls, medians))


def sdpa(backend):
    def call(*qkv):
        with sdpa_kernel(backend):
            return F.scaled_dot_product_attention(*qkv, is_causal=True)

    return call


WAYS = {
    "flash": sdpa(SDPBackend.FLASH_ATTENTION),
    "cuDNN": sdpa(SDPBackend.CUDNN_ATTENTION),
    "attention": lambda q, k, v: attention(q, k, v, True),
}


def inputs(length, dim):
    shape = TOKENS // length, WIDTH // dim, length, dim
    return torch.randn(
        4, *shape, device="cuda", dtype=torch.bfloat16
    ).unbind()
# --8<-- [end:setup]


def main():
    torch.manual_seed(0)
    a, b = torch.randn(2, 8192, 8192, device="cuda").bfloat16()
    peak = 2 * 8192**3 / median_ms(lambda: a @ b) / 1e9
    print(f"cuBLAS TFLOP/s: {peak:.0f}")
    del a, b
    # --8<-- [start:time]
    for dim in (64, 128):
        print(f"== head dim {dim} ==")
        for length in LENGTHS:
            q, k, v, dout = inputs(length, dim)
            # Two matrix products, half of each below the diagonal.
            operations = 2 * 2 * TOKENS * length * WIDTH / 2
            calls = {
                "Gluon": lambda: gluon_forward(q, k, v, True),
                "row": lambda: gluon_forward(
                    q, k, v, True, paired=False
                ),
            }
            backs = {}
            for name, way in WAYS.items():
                calls[name] = lambda way=way: way(q, k, v)
                leaves = [
                    x.detach().requires_grad_() for x in (q, k, v)
                ]
                out = way(*leaves)
                backs[name] = (
                    lambda out=out, leaves=leaves: torch.autograd.grad(
                        out, leaves, dout, retain_graph=True
                    )
                )
            forward, backward = medians_ms(calls), medians_ms(backs)
            gain = forward["row"] / forward["Gluon"]
            print(f"couples over row {length}: {gain:.2f}")
            for what, times, products in (
                ("forward", forward, 2), ("backward", backward, 5)
            ):
                rates = {
                    name: products / 2 * operations / ms / 1e9
                    for name, ms in times.items()
                }
                for name, rate in rates.items():
                    print(f"{name} {what} {length} TFLOP/s: {rate:.0f}")
                for name in ("flash", "cuDNN"):
                    ratio = rates["attention"] / rates[name]
                    print(f"{what} {length} over {name}: {ratio:.2f}")
                part = rates["attention"] / peak
                print(f"{what} {length} of cuBLAS: {part:.2f}")
            for name in ("flash", "cuDNN"):
                ratio = forward[name] / forward["Gluon"]
                print(f"Gluon {length} over {name}: {ratio:.2f}")
            part = operations / forward["Gluon"] / 1e9 / peak
            print(f"Gluon {length} of cuBLAS: {part:.2f}")
    # --8<-- [end:time]


if __name__ == "__main__":
    main()
