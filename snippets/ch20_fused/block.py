"""20.6.1: a transformer block of fused kernels, its gradients beside
those of the same block in float64."""

# /// capture
# timeout = 240
# [labels]
# "* relative error" = { kind = "bound", limit = 2e-5 }
# ///

import torch
import torch.nn.functional as F
from torch.autograd.function import once_differentiable

from ch15_softmax.norm_backward import RMSNorm
from ch16_attention.backward import attention_backward
from ch16_attention.forward import attention_forward, relative_error
from ch20_fused.add_rms_norm import AddRMSNorm, add_rms_norm_eager
from ch20_fused.linear_cross_entropy import linear_cross_entropy
from ch20_fused.rope import rope_eager, rope_into, rope_table
from ch20_fused.swiglu import SwiGLU, swiglu_eager

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
CHUNK = 2**27  # logits in memory at a time, about


# --8<-- [start:attend]
def heads_of(qkv, heads):
    """(batch, length, 3 * width) as (batch, length, 3, heads, dim)."""
    return qkv.unflatten(-1, (3, heads, -1))


def for_attention(x):
    """(batch, length, heads, dim) with the heads first; a view."""
    return x.transpose(1, 2)


class RotaryAttention(torch.autograd.Function):
    """Turns queries and keys inside qkv, then attends, causally."""

    @staticmethod
    def forward(ctx, qkv, cos, sin, heads):
        parts = heads_of(qkv, heads)
        both = parts[:, :, :2].flatten(2, 3)  # heads of q, then of k
        rope_into(both, both, cos, sin)
        torch.autograd.graph.increment_version(qkv)
        q, k, v = (for_attention(x) for x in parts.unbind(2))
        out, lse = attention_forward(q, k, v, causal=True)
        ctx.save_for_backward(qkv, out, lse, cos, sin)
        ctx.heads = heads
        return out.transpose(1, 2).flatten(2)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        qkv, out, lse, cos, sin = ctx.saved_tensors
        parts = heads_of(qkv, ctx.heads)
        q, k, v = (for_attention(x) for x in parts.unbind(2))
        grad = for_attention(grad.unflatten(-1, (ctx.heads, -1)))
        grads = attention_backward(q, k, v, out, lse, grad, causal=True)
        dqkv = torch.empty_like(qkv)
        into = heads_of(dqkv, ctx.heads).unbind(2)
        dq, dk, dv = (for_attention(x) for x in grads)
        rope_into(into[0], dq, cos, sin, back=True)
        rope_into(into[1], dk, cos, sin, back=True)
        into[2].copy_(dv)
        return dqkv, None, None, None
# --8<-- [end:attend]


# --8<-- [start:ops]
class Fused:
    norm = RMSNorm.apply
    add_norm = AddRMSNorm.apply
    attend = RotaryAttention.apply

    @staticmethod
    def loss(x, weight, targets):
        few = CHUNK // len(weight)  # tokens; more than x is wide
        return linear_cross_entropy(
            x, weight, targets, chunk=max(x.shape[-1], few)
        )

    @staticmethod
    def swiglu(pair):
        return SwiGLU.apply(pair, True)  # pair is nobody else's


class Eager:
    add_norm = staticmethod(add_rms_norm_eager)
    swiglu = staticmethod(swiglu_eager)

    @staticmethod
    def norm(x, weight):
        return F.rms_norm(x, weight.shape, weight, 1e-5)

    @staticmethod
    def attend(qkv, cos, sin, heads):
        q, k, v = heads_of(qkv, heads).unbind(2)
        q, k = rope_eager(q, cos, sin), rope_eager(k, cos, sin)
        out = F.scaled_dot_product_attention(
            *(for_attention(x) for x in (q, k, v)), is_causal=True
        )
        return out.transpose(1, 2).flatten(2)

    @staticmethod
    def loss(x, weight, targets):
        logits = F.linear(x, weight).to(
            torch.promote_types(x.dtype, torch.float32)
        )
        return F.cross_entropy(logits, targets)
# --8<-- [end:ops]


# --8<-- [start:block]
class Model(torch.nn.Module):
    """Tokens in, one block, the loss of the next token out."""

    def __init__(self, ops, vocab, dim, heads, hidden, length):
        super().__init__()
        self.ops, self.heads = ops, heads
        shapes = {
            "embed": (vocab, dim), "qkv": (3 * dim, dim),
            "out": (dim, dim), "pair": (2 * hidden, dim),
            "down": (dim, hidden), "head": (vocab, dim),
        }  # fmt: skip
        for name, shape in shapes.items():
            weight = torch.randn(shape, device=DEVICE) * 0.02
            self.register_parameter(name, torch.nn.Parameter(weight))
        for name in ("norm1", "norm2", "norm3"):
            weight = torch.nn.Parameter(torch.ones(dim, device=DEVICE))
            self.register_parameter(name, weight)
        cos, sin = rope_table(length, dim // heads)
        self.register_buffer("cos", cos)
        self.register_buffer("sin", sin)

    def forward(self, tokens, targets, dtype):
        ops = self.ops
        w = {k: p.to(dtype) for k, p in self.named_parameters()}
        stream = F.embedding(tokens, w["embed"])
        x = ops.norm(stream, w["norm1"])
        x = F.linear(x, w["qkv"])
        x = ops.attend(x, self.cos, self.sin, self.heads)
        x = F.linear(x, w["out"])
        x, stream = ops.add_norm(x, stream, w["norm2"])
        x = ops.swiglu(F.linear(x, w["pair"]))
        x = F.linear(x, w["down"])
        x, _ = ops.add_norm(x, stream, w["norm3"])
        return ops.loss(x.flatten(0, 1), w["head"], targets.flatten())
# --8<-- [end:block]


def gradients(model, tokens, targets, dtype):
    """The loss, and the gradient of each parameter."""
    loss = model(tokens, targets, dtype)
    found = torch.autograd.grad(loss, list(model.parameters()))
    names = dict(model.named_parameters())
    return loss.detach(), dict(zip(names, found))


if __name__ == "__main__":
    print("== 20.6.1 every gradient, beside float64 ==")
    # --8<-- [start:demo]
    shape = dict(vocab=50, dim=32, heads=2, hidden=40, length=19)
    fused = Model(Fused, **shape)
    exact = Model(Eager, **shape).double()
    torch.manual_seed(0)
    with torch.no_grad():  # larger than at the start of a training
        for mine, true in zip(fused.parameters(), exact.parameters()):
            if mine.dim() == 2:
                mine.copy_(0.2 * torch.randn(mine.shape))
            true.copy_(mine)
    tokens = torch.randint(50, (2, 20)).to(DEVICE)
    data = tokens[:, :-1], tokens[:, 1:]
    loss, found = gradients(fused, *data, torch.float32)
    truth, wanted = gradients(exact, *data, torch.float64)
    print(f"loss: {loss.item():.3f}")
    print(f"loss in float64: {truth.item():.3f}")
    for name, grad in found.items():
        error = relative_error(grad, wanted[name])
        print(f"{name} relative error: {error:.1e}")
    # --8<-- [end:demo]
