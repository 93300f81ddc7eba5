"""20.6.3: a step of the block at a size that fills the GPU: eager,
torch.compile, fused; time and peak memory."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "* ms" = { kind = "measured", within = 0.3 }
# "* MiB" = { kind = "measured", within = 0.05 }
# "* over fused" = { kind = "measured", within = 0.3 }
# "* relative error" = { kind = "bound", limit = 5e-2 }
# [speed."transformer block, forward and backward"]
# library = "torch.compile"
# over_library = "[torch.compile ms] / [fused ms]"
# ceiling = "its matrix products and PyTorch's attention"
# of_ceiling = "[floor ms] / [fused ms]"
# ///

import torch
import torch.nn.functional as F

from ch16_attention.backward import attention
from ch16_attention.forward import relative_error
from ch20_fused.block import Eager, Fused, Model
from ch20_fused.contest import median_ms, peak_mib

BATCH, LENGTH = 8, 2048
SHAPE = dict(
    vocab=32768, dim=4096, heads=32, hidden=11008, length=LENGTH
)


# --8<-- [start:floor]
def products_ms(dtype=torch.bfloat16):
    """The matrix products of a step alone, one after the other, with
    no rest: a cool device is faster."""
    tokens, dim = BATCH * LENGTH, SHAPE["dim"]
    hidden, vocab = SHAPE["hidden"], SHAPE["vocab"]
    layers = [
        [
            torch.randn(*shape, device="cuda", dtype=dtype)
            for shape in ((outs, ins), (tokens, ins), (tokens, outs))
        ]
        for outs, ins in (
            (3 * dim, dim), (dim, dim), (2 * hidden, dim),
            (dim, hidden), (vocab, dim),
        )
    ]  # fmt: skip

    def step():
        for w, x, y in layers:
            x @ w.T, y @ w, y.T @ x

    return median_ms(step, reps=10)


def attention_ms(attend, dtype=torch.bfloat16):
    """The attention of a step alone, with its gradients."""
    dim = SHAPE["dim"] // SHAPE["heads"]
    *leaves, grad = torch.randn(
        4, BATCH, SHAPE["heads"], LENGTH, dim, device="cuda",
        dtype=dtype,
    )  # fmt: skip
    leaves = [x.requires_grad_() for x in leaves]

    def step():
        return torch.autograd.grad(attend(*leaves), leaves, grad)

    return median_ms(step, reps=8)
# --8<-- [end:floor]


def main():
    # --8<-- [start:time]
    torch.manual_seed(0)
    models = {"eager": Model(Eager, **SHAPE)}
    models["fused"] = Model(Fused, **SHAPE)
    for model in models.values():
        model.bfloat16()
        model.cos, model.sin = model.cos.float(), model.sin.float()
    models["fused"].load_state_dict(models["eager"].state_dict())
    models["torch.compile"] = torch.compile(models["eager"])
    tokens = torch.randint(
        SHAPE["vocab"], (BATCH, LENGTH + 1), device="cuda"
    )
    data = tokens[:, :-1], tokens[:, 1:], torch.bfloat16

    ms, found = {}, {}
    for name, model in models.items():
        weights = list(model.parameters())

        def step():
            return torch.autograd.grad(model(*data), weights)

        found[name] = step()
        ms[name] = median_ms(step, reps=10)
        print(f"{name} ms: {ms[name]:.2f}")
        print(f"{name} step peak MiB: {peak_mib(step):.0f}")
    for name, x, y in zip(
        dict(models["eager"].named_parameters()), *(
            found[name] for name in ("fused", "eager")
        )
    ):  # fmt: skip
        error = relative_error(x, y)
        print(f"gradient of {name} relative error: {error:.1e}")
    for name in ("eager", "torch.compile"):
        print(f"{name} over fused: {ms[name] / ms['fused']:.2f}")
    del found
    products = products_ms()
    theirs = attention_ms(
        lambda *qkv: F.scaled_dot_product_attention(
            *qkv, is_causal=True
        )
    )
    ours = attention_ms(lambda *qkv: attention(*qkv, causal=True))
    print(f"matrix products ms: {products:.2f}")
    print(f"attention, PyTorch's ms: {theirs:.2f}")
    print(f"attention, chapter 16's ms: {ours:.2f}")
    print(f"floor ms: {products + theirs:.2f}")
    # --8<-- [end:time]


if __name__ == "__main__":
    main()
