"""19.4: the kernels of chapters 15, 16, 19 and 20 under the roof."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "copy TB/s" = { kind = "measured", within = 0.15 }
# "* TOP/s" = { kind = "measured", within = 0.25 }
# "ch*" = { kind = "measured", within = 0.3 }
# ///

import torch
import triton.language as tl

from ch15_softmax.early_loads import layer_norm_early_kernel
from ch15_softmax.layer_norm import layer_norm
from ch15_softmax.norm_backward import norm_backward
from ch15_softmax.online import softmax_online
from ch15_softmax.online import softmax_online_backward
from ch15_softmax.rms_norm import rms_norm
from ch15_softmax.softmax import softmax_backward, softmax_rows
from ch15_softmax.three_sweeps import softmax_three
from ch16_attention.backward import attention_backward
from ch16_attention.forward import attention_forward
from ch16_attention.gluon_forward import gluon_forward
from ch16_attention.online import online_attention
from ch19_benchmarking.roofline import fma_chain, show_points
from ch20_fused.add_rms_norm import add_rms_norm
from ch20_fused.add_rms_norm import add_rms_norm_backward
from ch20_fused.int4_matmul import few_rows, quantize, unpack
from ch20_fused.linear_cross_entropy import loss_gradient_kernel
from ch20_fused.linear_cross_entropy import scale_
from ch20_fused.rope import rope_into, rope_table
from ch20_fused.swiglu import swiglu, swiglu_backward

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:rows]
def rows_of(n, cols):
    """Softmax and the norms, on n elements of bfloat16."""
    x, grad, out = torch.randn(3, n, device=DEVICE).bfloat16()
    wide, wide_grad = x.view(-1, 4 * cols), grad.view(-1, 4 * cols)
    x, grad, out = (t.view(-1, cols) for t in (x, grad, out))
    w, b = torch.randn(2, 4 * cols, device=DEVICE).bfloat16()
    _, *stats = layer_norm(x, w[:cols], b[:cols])
    _, *wide_stats = layer_norm(wide, w, b)
    y, wide_y = softmax_rows(x), softmax_rows(wide)
    return [
        # maximum, difference, exponential, sum, quotient
        ("ch15.softmax_kernel", 5 * n, 4 * n, False,
         lambda: softmax_rows(x)),
        ("ch15.softmax_online_kernel", 5 * n, 4 * n, False,
         lambda: softmax_online(wide)),
        ("ch15.softmax_three_kernel", 5 * n, 4 * n, False,
         lambda: softmax_three(wide)),
        # product, sum, difference, product
        ("ch15.softmax_backward_kernel", 4 * n, 6 * n, False,
         lambda: softmax_backward(grad, y)),
        ("ch15.softmax_online_backward_kernel", 4 * n, 6 * n, False,
         lambda: softmax_online_backward(wide_grad, wide_y)),
        # sum, difference, product, sum; then two products, a sum
        ("ch15.layer_norm_kernel", 7 * n, 4 * n, False,
         lambda: layer_norm(x, w[:cols], b[:cols])),
        ("ch15.layer_norm_early_kernel", 7 * n, 4 * n, False,
         lambda: layer_norm_early_kernel[(n // cols,)](
             x, w, b, out, *stats, n // cols, cols, cols, cols, 1e-5,
             ROWS=1, BLOCK=cols, num_warps=16)),
        # product, sum; then two products
        ("ch15.rms_norm_kernel", 4 * n, 4 * n, False,
         lambda: rms_norm(x, w[:cols])),
        # LayerNorm's three gradients
        ("ch15.norm_backward_kernel", 13 * n, 6 * n, False,
         lambda: norm_backward(grad, x, w[:cols], *stats)),
        ("ch15.norm_tiles_kernel", 13 * n, 6 * n, False,
         lambda: norm_backward(wide_grad, wide, w, *wide_stats)),
    ]  # fmt: skip
# --8<-- [end:rows]


# --8<-- [start:attention]
def attention_of(batches, heads, length, dim):
    """Causal attention: half of two products, and backward of
    five; bytes are those of the tensors."""
    shape = batches, heads, length, dim
    qkv = torch.randn(4, *shape, device=DEVICE).bfloat16()
    q, k, v, dout = qkv.unbind()
    few = [x[:1, :1, :256] for x in (q, k, v)]
    few = [x.expand(1, 132, -1, -1).contiguous() for x in few]
    out, lse = attention_forward(q, k, v, True)
    work = 2 * batches * heads * length**2 * dim
    size = 2 * q.numel()
    little = 2 * 132 * few[0].shape[2] ** 2 * dim
    return [
        ("ch16.attention_kernel", work, 4 * size, True,
         lambda: attention_forward(q, k, v, True)),
        ("ch16.gluon_kernel", work, 4 * size, True,
         lambda: gluon_forward(q, k, v, True)),
        ("ch16.dkdv_kernel", 2.5 * work, 8 * size, True,
         lambda: attention_backward(q, k, v, out, lse, dout, True)),
        # blocks of 16, for reading
        ("ch16.online_kernel", little, 8 * few[0].numel(), True,
         lambda: online_attention(*few, True)),
    ]  # fmt: skip
# --8<-- [end:attention]


def loss_kernel(logits, target):
    """Loss and gradient of each row, in place; 20.4's launch."""
    rows, cols = logits.shape
    loss = torch.empty(rows, device=DEVICE)
    count = torch.tensor(rows, device=DEVICE)
    return lambda: loss_gradient_kernel[(rows,)](
        logits, target, loss, count, cols, cols, -100, GRADIENT=True,
        LANES=1024, EACH=8, ACC=tl.float32, num_warps=16,
    )  # fmt: skip


# --8<-- [start:fused]
def fused(n, cols, wide):
    """Name, operations, bytes, tensor cores?, launch; n elements
    of bfloat16, and weights of wide x cols."""
    x, y, grad, dx, dy = torch.randn(5, n, device=DEVICE).bfloat16()
    turned = y.clone().view(1, -1, cols // 128, 128)
    table = rope_table(turned.shape[1], 128)
    logits = dx.clone().view(-1, 4 * cols)
    target = torch.arange(len(logits), device=DEVICE) % (4 * cols)
    scaled, factor = dy.clone(), torch.tensor(0.5, device=DEVICE)
    x, y, grad, dx, dy = (
        t.view(-1, cols) for t in (x, y, grad, dx, dy)
    )
    w = torch.randn(cols, device=DEVICE).bfloat16()
    _, total, rstd = add_rms_norm(x, y, w)
    weight = torch.randn(wide, cols, device=DEVICE).bfloat16()
    packed, scales = quantize(weight)
    few = x[:16].contiguous()
    stored = 4 * packed.numel() + 2 * scales.numel()
    positive = torch.rand(n, device=DEVICE) / 2
    return [
        # a multiply-add counts two
        ("ch19.fma_chain_kernel", 2048 * n, 8 * n, False,
         lambda: fma_chain(positive, 1024)),
        # a sum; then product, sum, two products
        ("ch20.add_rms_norm_kernel", 5 * n, 8 * n, False,
         lambda: add_rms_norm(x, y, w)),
        ("ch20.add_rms_norm_backward_kernel", 10 * n, 8 * n, False,
         lambda: add_rms_norm_backward(grad, y, total, w, rstd)),
        # a change of sign, exponential, sum, quotient; a product
        ("ch20.swiglu_kernel", 5 * n, 6 * n, False,
         lambda: swiglu(x, y)),
        ("ch20.swiglu_backward_kernel", 11 * n, 10 * n, False,
         lambda: swiglu_backward(grad, x, y, dx, dy)),
        # four products and two sums for each pair, in place
        ("ch20.rope_kernel", 3 * n, 4 * n, False,
         lambda: rope_into(turned, turned, *table)),
        # maximum, difference, exponential, sum; difference,
        # exponential, product; in place
        ("ch20.loss_gradient_kernel", 7 * n, 4 * n, False,
         loss_kernel(logits, target)),
        ("ch20.scale_kernel", n, 4 * n, False,
         lambda: scale_(scaled, factor)),
        # 16 rows by all weights
        ("ch20.int4_kernel", 32 * weight.numel(),
         stored + 32 * (wide + cols), True,
         lambda: few_rows(few, packed, scales)),
        # shift, mask, difference, product for each weight
        ("ch20.unpack_kernel", 4 * weight.numel(),
         stored + 2 * weight.numel(), False,
         lambda: unpack(packed, scales, weight)),
    ]  # fmt: skip
# --8<-- [end:fused]


if __name__ == "__main__":
    torch.manual_seed(0)
    attention = attention_of(4, 16, 4096, 128)
    show_points({
        "chapters 15 and 16": rows_of(2**27, 8192) + attention,
        "chapters 19 and 20": fused(2**27, 8192, 28672),
    })
