"""20.4.1: the loss of a language model, its logits never whole in
memory: both gradients are ready when the forward ends."""

# /// capture
# [labels]
# "* relative diff" = { kind = "bound", limit = 2e-2 }
# ///

import torch
import triton
import triton.language as tl
from torch.autograd.function import once_differentiable

from ch06_contract.silu import check_float
from ch15_softmax.online import safe
from ch15_softmax.rows import sums_in
from ch15_softmax.softmax import NO_SCORE

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
LANES, EACH, WARPS = 512, 8, 16
FEWEST = 1024  # tokens of a chunk, so that its products fill a GPU


# --8<-- [start:kernel]
@triton.jit
def loss_gradient_kernel(
    logits_ptr,  # logits of a chunk; their gradient replaces them
    target_ptr,  # target[row]: the right token, int64
    loss_ptr,  # loss[row], the result
    count_ptr,  # count[0]: how many tokens have a loss, of all chunks
    cols,  # how many tokens the vocabulary has
    width,  # from a row of logits to the next, a multiple of EACH
    ignore,  # the target of a row without a loss
    GRADIENT: tl.constexpr,  # whether anybody wants a gradient
    LANES: tl.constexpr,  # lanes, each with a maximum and a sum
    EACH: tl.constexpr,  # neighbours that a lane takes at a time
    ACC: tl.constexpr,  # the type of maximum and sum
):
    row = tl.program_id(0).to(tl.int64)
    logits_ptr += row * width
    target = tl.load(target_ptr + row)
    counts = target != ignore
    there = (target >= 0) & (target < cols)  # else the loss is NaN
    right = tl.load(
        logits_ptr + target, mask=there, other=float("nan")
    )  # before the gradient takes its place
    place = tl.arange(0, LANES)[:, None] * EACH
    place += tl.arange(0, EACH)[None, :]
    turns = tl.cdiv(width, LANES * EACH)
    largest = tl.full((LANES,), NO_SCORE, ACC)
    total = tl.zeros((LANES,), ACC)
    for turn in range(turns):
        col = turn * (LANES * EACH) + place
        x = tl.load(logits_ptr + col, mask=col < width).to(ACC)
        x = tl.where(col < cols, x, NO_SCORE)
        new = tl.maximum(largest, tl.max(x, axis=1))
        e = tl.exp(x - safe(new)[:, None])
        total *= tl.exp(largest - safe(new))
        total += tl.sum(e, axis=1)
        largest = new
    final = safe(tl.max(largest, axis=0))
    total = tl.sum(total * tl.exp(largest - final), axis=0)
    whole = final + tl.log(total)  # the logarithm of the sum
    loss = tl.where(counts, whole - right.to(ACC), 0.0)
    tl.store(loss_ptr + row, loss)
    if GRADIENT:
        scale = 1.0 / tl.maximum(tl.load(count_ptr).to(ACC), 1.0)
        scale = tl.where(there, scale, float("nan"))
        scale = tl.where(counts, scale, 0.0)
        for turn in range(turns):
            col = turn * (LANES * EACH) + place
            x = tl.load(logits_ptr + col, mask=col < width).to(ACC)
            x = tl.where(col < cols, x, NO_SCORE)
            p = tl.exp(x - whole)
            p = tl.where(col == target, p - 1.0, p) * scale
            tl.store(logits_ptr + col, p, mask=col < width)
# --8<-- [end:kernel]


# --8<-- [start:scale]
@triton.jit
def scale_kernel(
    x_ptr,  # address of x[0], contiguous, scaled in place
    factor_ptr,  # address of one number
    n,  # how many elements x has
    BLOCK: tl.constexpr,  # elements of a turn
):
    factor = tl.load(factor_ptr)
    if factor != 1.0:
        first = tl.program_id(0).to(tl.int64) * BLOCK
        for start in range(first, n, tl.num_programs(0) * BLOCK):
            place = start + tl.arange(0, BLOCK)
            x = tl.load(x_ptr + place, mask=place < n)
            x = x.to(factor.dtype) * factor
            tl.store(x_ptr + place, x, mask=place < n)


def scale_(x, factor):
    """x times a number that is on the device; nothing to do for 1,
    and no waiting to find out."""
    if x is not None and x.numel() > 0:
        grid = (min(triton.cdiv(x.numel(), 2048), 1024),)
        scale_kernel[grid](x, factor, x.numel(), BLOCK=2048)
    return x
# --8<-- [end:scale]


# --8<-- [start:chunks]
def row_losses(logits, target, loss, count, ignore, gradient):
    """Each row's loss into loss; with gradient, the logits become
    the gradient of the mean over count rows."""
    vocab, width = logits.shape[1], logits.stride(0)
    loss_gradient_kernel[(len(logits),)](
        logits, target, loss, count, vocab, width, ignore,
        GRADIENT=gradient, LANES=LANES, EACH=EACH,
        ACC=sums_in(logits), num_warps=WARPS,
    )  # fmt: skip


def loss_gradients(
    x, weight, target, chunk=None, ignore=-100, wants=(True, True)
):
    """The mean loss, and those gradients of x and weight that are
    wanted, with the logits of one chunk of tokens in memory."""
    (tokens, dim), vocab = x.shape, weight.shape[0]
    chunk = min(chunk or max(dim, FEWEST), max(tokens, 1))
    width = triton.cdiv(vocab, 16) * 16  # rows that start aligned
    logits = x.new_empty(chunk, width)[:, :vocab]
    high = torch.promote_types(x.dtype, torch.float32)
    loss = x.new_empty(tokens, dtype=high)
    count = (target != ignore).sum()
    dx = torch.empty_like(x) if wants[0] else None
    dweight = torch.empty_like(weight) if wants[1] else None
    if wants[1] and tokens == 0:
        dweight.zero_()
    for start in range(0, tokens, chunk):
        part = slice(start, min(start + chunk, tokens))
        some = x[part]
        rows = logits[: len(some)]
        torch.mm(some, weight.T, out=rows)
        row_losses(
            rows, target[part], loss[part], count, ignore, any(wants)
        )
        if wants[0]:
            torch.mm(rows, weight, out=dx[part])
        if wants[1] and start == 0:
            torch.mm(rows.T, some, out=dweight)
        elif wants[1]:
            dweight.addmm_(rows.T, some)
    return loss.sum() / count, dx, dweight
# --8<-- [end:chunks]


# --8<-- [start:function]
class LinearCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, weight, target, chunk, ignore, wants):
        loss, *ctx.grads = loss_gradients(
            x, weight, target, chunk, ignore, wants
        )
        return loss

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        if ctx.grads is None:
            raise RuntimeError(
                "linear_cross_entropy: backward ran a second time; the "
                "gradients were handed out, scaled, the first time"
            )
        grads, ctx.grads = ctx.grads, None
        dx, dweight = (scale_(g, grad) for g in grads)
        return dx, dweight, None, None, None, None


def linear_cross_entropy(x, weight, target, chunk=None, ignore=-100):
    """F.cross_entropy(F.linear(x, weight), target), the mean.

    x (..., dim), weight (vocab, dim), target (...) of int64, ignored
    where it is `ignore`. A target outside the vocabulary makes the
    loss NaN, and so do no targets at all.
    """
    check_float("x", x)
    for name, ok, found in (
        ("weight", weight.dim() == 2, tuple(weight.shape)),
        ("weight", weight.shape[1:] == x.shape[-1:] and x.dim() > 0,
         f"{tuple(weight.shape)}, x {tuple(x.shape)}"),
        ("weight", len(weight) > 0, "without a row"),
        ("target", target.shape == x.shape[:-1],
         f"{tuple(target.shape)}, x {tuple(x.shape)}"),
        ("chunk", chunk is None or chunk > 0, chunk),
    ):  # fmt: skip
        if not ok:
            raise ValueError(f"{name} is {found}")
    if weight.dtype != x.dtype or target.dtype != torch.int64:
        raise TypeError(
            f"x is {x.dtype}, weight {weight.dtype}, target "
            f"{target.dtype}; wanted one dtype twice, and torch.int64"
        )
    if not x.device == weight.device == target.device:
        raise ValueError(
            f"x is on {x.device}, weight on {weight.device}, target "
            f"on {target.device}"
        )
    on = torch.is_grad_enabled()
    wants = (on and x.requires_grad, on and weight.requires_grad)
    return LinearCrossEntropy.apply(
        x.reshape(target.numel(), x.shape[-1]), weight.contiguous(),
        target.reshape(-1).contiguous(), chunk, ignore, wants,
    )  # fmt: skip
# --8<-- [end:function]


if __name__ == "__main__":
    import torch.nn.functional as F

    print("== 20.4.1 against float64 ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    tokens, dim, vocab = 11, 24, 101
    x = torch.randn(tokens, dim)
    weight = torch.randn(vocab, dim)
    target = torch.randint(vocab, (tokens,))
    target[3] = -100  # no loss for this one
    target = target.to(DEVICE)
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        own = [t.to(DEVICE, dtype) for t in (x, weight)]
        own = [t.requires_grad_() for t in own]
        true = [t.detach().double().requires_grad_() for t in own]
        wanted = F.cross_entropy(F.linear(*true), target)
        wanted_grads = torch.autograd.grad(3 * wanted, true)
        for chunk in (4, None):
            loss = linear_cross_entropy(*own, target, chunk)
            grads = torch.autograd.grad(3 * loss, own)
            name = f"{dtype}, chunks of {chunk or 'all'}"
            worst = (loss - wanted).abs() / wanted
            print(f"{name}, loss relative diff: {worst.item():.1e}")
            for what, a, b in zip(("x", "weight"), grads, wanted_grads):
                worst = (a - b).abs().max() / b.abs().max()
                print(f"{name}, d{what} relative diff: {worst:.1e}")
    # --8<-- [end:demo]
