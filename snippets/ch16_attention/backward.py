"""16.4: attention, backward: weights made again from the logsumexp,
one kernel for the gradients of k and v, one for that of q."""

# /// capture
# timeout = 240
# [labels]
# "torch.float32*error" = { kind = "bound", limit = 2e-6 }
# "torch.float16*error" = { kind = "bound", limit = 2e-3 }
# ///

import torch
import triton
import triton.language as tl

from ch16_attention.forward import (
    LOG2E,
    attention_forward,
    check_attention,
    describable,
    described,
    relative_error,
)
from ch16_attention.oracle import attention_oracle

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:delta]
@triton.jit
def delta_kernel(
    out_desc,  # descriptor of the output, BLOCK_M x BLOCK_D
    dout_desc,  # descriptor of its gradient, likewise
    delta_ptr,  # address of the row sums of their product, contiguous
    heads,  # heads in a batch
    queries,  # length of the query sequence
    BLOCK_M: tl.constexpr,  # queries a program
    BLOCK_D: tl.constexpr,  # lanes for the head dimension
):
    start = tl.program_id(0) * BLOCK_M
    batch = tl.program_id(1) // heads
    head = tl.program_id(1) % heads
    out = out_desc.load([batch, head, start, 0])
    dout = dout_desc.load([batch, head, start, 0])
    product = out.to(tl.float32) * dout.to(tl.float32)
    delta = tl.sum(product.reshape([BLOCK_M, BLOCK_D]), 1)
    rows = start + tl.arange(0, BLOCK_M)
    delta_ptr += tl.program_id(1).to(tl.int64) * queries
    tl.store(delta_ptr + rows, delta, mask=rows < queries)
# --8<-- [end:delta]


# --8<-- [start:dkdv]
@triton.jit
def dkdv_blocks(
    dk,  # BLOCK_N x BLOCK_D, the sums for k so far
    dv,  # BLOCK_N x BLOCK_D, the sums for v so far
    k,  # BLOCK_N x BLOCK_D, the keys
    v,  # BLOCK_N x BLOCK_D, the values
    q_desc,  # descriptor of the queries
    dout_desc,  # descriptor of the output's gradient
    lse_ptr,  # address of this head's logsumexps in base 2
    delta_ptr,  # address of this head's deltas
    batch,  # which batch
    head,  # which head
    seen_from,  # BLOCK_N, the first query that sees each key
    first,  # the first query, a multiple of BLOCK_M
    last,  # the end of the queries
    queries,  # length of the query sequence
    scale2,  # scale of the scores times log2(e)
    MASKED: tl.constexpr,  # some query does not see some key
    BLOCK_M: tl.constexpr,  # queries a turn
    BLOCK_D: tl.constexpr,  # lanes for the head dimension
    PRECISION: tl.constexpr,  # input_precision of the dots
):
    for start in tl.range(first, last, BLOCK_M):
        rows = start + tl.arange(0, BLOCK_M)
        real = rows < queries
        q = q_desc.load([batch, head, start, 0])
        q = q.reshape([BLOCK_M, BLOCK_D])
        lse = tl.load(lse_ptr + rows, mask=real, other=float("inf"))
        scores = tl.dot(k, q.T, input_precision=PRECISION)
        p = tl.exp2(scores * scale2 - lse[None, :])
        if MASKED:
            keep = rows[None, :] >= seen_from[:, None]
            p = tl.where(keep, p, 0.0)
        dout = dout_desc.load([batch, head, start, 0])
        dout = dout.reshape([BLOCK_M, BLOCK_D])
        dv = tl.dot(p.to(q.dtype), dout, dv, input_precision=PRECISION)
        delta = tl.load(delta_ptr + rows, mask=real, other=0.0)
        dp = tl.dot(v, dout.T, input_precision=PRECISION)
        ds = p * (dp - delta[None, :])
        dk = tl.dot(ds.to(q.dtype), q, dk, input_precision=PRECISION)
    return dk, dv


@triton.jit
def dkdv_kernel(
    q_desc,  # descriptor of the queries, BLOCK_M x BLOCK_D
    k_desc,  # descriptor of the keys, BLOCK_N x BLOCK_D
    v_desc,  # descriptor of the values, like k's
    dout_desc,  # descriptor of the output's gradient, like q's
    dk_desc,  # descriptor of the gradient of k, like k's
    dv_desc,  # descriptor of the gradient of v, like k's
    lse_ptr,  # address of the logsumexps in base 2, contiguous
    delta_ptr,  # address of the deltas, contiguous
    heads,  # heads in a batch
    queries,  # length of the query sequence
    keys,  # length of the key sequence
    scale,  # of the scores
    scale2,  # scale times log2(e)
    CAUSAL: tl.constexpr,  # the last query sees all, others less
    BLOCK_M: tl.constexpr,  # queries a turn
    BLOCK_N: tl.constexpr,  # keys a program
    BLOCK_D: tl.constexpr,  # lanes for the head dimension
    PRECISION: tl.constexpr,  # input_precision of the dots
):
    batch = tl.program_id(1) // heads
    head = tl.program_id(1) % heads
    start = tl.program_id(0) * BLOCK_N  # the first is the longest
    columns = start + tl.arange(0, BLOCK_N)
    seen_from = columns + queries - keys
    first = 0
    full = 0
    if CAUSAL:
        first = tl.maximum(start + queries - keys, 0)
        first = first // BLOCK_M * BLOCK_M
        full = tl.maximum(start + BLOCK_N - 1 + queries - keys, 0)
        full = tl.cdiv(full, BLOCK_M) * BLOCK_M
    lse_ptr += tl.program_id(1).to(tl.int64) * queries
    delta_ptr += tl.program_id(1).to(tl.int64) * queries
    k = k_desc.load([batch, head, start, 0])
    k = k.reshape([BLOCK_N, BLOCK_D])
    v = v_desc.load([batch, head, start, 0])
    v = v.reshape([BLOCK_N, BLOCK_D])
    dk = tl.zeros([BLOCK_N, BLOCK_D], tl.float32)
    dv = tl.zeros([BLOCK_N, BLOCK_D], tl.float32)
    if CAUSAL:
        dk, dv = dkdv_blocks(
            dk, dv, k, v, q_desc, dout_desc, lse_ptr, delta_ptr, batch,
            head, seen_from, first, tl.minimum(full, queries), queries,
            scale2, True, BLOCK_M, BLOCK_D, PRECISION,
        )
    dk, dv = dkdv_blocks(
        dk, dv, k, v, q_desc, dout_desc, lse_ptr, delta_ptr, batch,
        head, seen_from, full, queries, queries,
        scale2, False, BLOCK_M, BLOCK_D, PRECISION,
    )
    dk = (dk * scale).to(dk_desc.dtype)
    dk_desc.store(
        [batch, head, start, 0], dk.reshape([1, 1, BLOCK_N, BLOCK_D])
    )
    dv = dv.to(dv_desc.dtype)
    dv_desc.store(
        [batch, head, start, 0], dv.reshape([1, 1, BLOCK_N, BLOCK_D])
    )
# --8<-- [end:dkdv]


# --8<-- [start:dq]
@triton.jit
def dq_blocks(
    dq,  # BLOCK_M x BLOCK_D, the sums so far
    q,  # BLOCK_M x BLOCK_D, the queries
    dout,  # BLOCK_M x BLOCK_D, the output's gradient
    lse,  # BLOCK_M, the logsumexps in base 2
    delta,  # BLOCK_M, the deltas
    k_desc,  # descriptor of the keys
    v_desc,  # descriptor of the values
    batch,  # which batch
    head,  # which head
    sees,  # BLOCK_M, how many keys each query may see
    first,  # the first key, a multiple of BLOCK_N
    last,  # the end of the keys
    scale2,  # scale of the scores times log2(e)
    MASKED: tl.constexpr,  # some query does not see some key
    BLOCK_N: tl.constexpr,  # keys a turn
    BLOCK_D: tl.constexpr,  # lanes for the head dimension
    PRECISION: tl.constexpr,  # input_precision of the dots
):
    for start in tl.range(first, last, BLOCK_N):
        k = k_desc.load([batch, head, start, 0])
        k = k.reshape([BLOCK_N, BLOCK_D])
        v = v_desc.load([batch, head, start, 0])
        v = v.reshape([BLOCK_N, BLOCK_D])
        scores = tl.dot(q, k.T, input_precision=PRECISION)
        p = tl.exp2(scores * scale2 - lse[:, None])
        if MASKED:
            columns = start + tl.arange(0, BLOCK_N)
            p = tl.where(columns[None, :] < sees[:, None], p, 0.0)
        dp = tl.dot(dout, v.T, input_precision=PRECISION)
        ds = p * (dp - delta[:, None])
        dq = tl.dot(ds.to(k.dtype), k, dq, input_precision=PRECISION)
    return dq


@triton.jit
def dq_kernel(
    q_desc,  # descriptor of the queries, BLOCK_M x BLOCK_D
    k_desc,  # descriptor of the keys, BLOCK_N x BLOCK_D
    v_desc,  # descriptor of the values, like k's
    dout_desc,  # descriptor of the output's gradient, like q's
    dq_desc,  # descriptor of the gradient of q, like q's
    lse_ptr,  # address of the logsumexps in base 2, contiguous
    delta_ptr,  # address of the deltas, contiguous
    heads,  # heads in a batch
    queries,  # length of the query sequence
    keys,  # length of the key sequence
    scale,  # of the scores
    scale2,  # scale times log2(e)
    CAUSAL: tl.constexpr,  # the last query sees all, others less
    BLOCK_M: tl.constexpr,  # queries a program
    BLOCK_N: tl.constexpr,  # keys a turn
    BLOCK_D: tl.constexpr,  # lanes for the head dimension
    PRECISION: tl.constexpr,  # input_precision of the dots
):
    tile = tl.num_programs(0) - 1 - tl.program_id(0)  # long ones first
    batch = tl.program_id(1) // heads
    head = tl.program_id(1) % heads
    start = tile * BLOCK_M
    rows = start + tl.arange(0, BLOCK_M)
    if CAUSAL:
        sees = tl.minimum(rows + 1 + keys - queries, keys)
        full = tl.minimum(start + 1 + keys - queries, keys)
        last = tl.minimum(start + BLOCK_M + keys - queries, keys)
    else:
        sees = tl.full([BLOCK_M], 0, tl.int32) + keys
        full = keys
        last = keys
    full = tl.maximum(full, 0) // BLOCK_N * BLOCK_N
    lse_ptr += tl.program_id(1).to(tl.int64) * queries
    delta_ptr += tl.program_id(1).to(tl.int64) * queries
    real = rows < queries
    lse = tl.load(lse_ptr + rows, mask=real, other=float("inf"))
    delta = tl.load(delta_ptr + rows, mask=real, other=0.0)
    q = q_desc.load([batch, head, start, 0])
    q = q.reshape([BLOCK_M, BLOCK_D])
    dout = dout_desc.load([batch, head, start, 0])
    dout = dout.reshape([BLOCK_M, BLOCK_D])
    dq = tl.zeros([BLOCK_M, BLOCK_D], tl.float32)
    dq = dq_blocks(
        dq, q, dout, lse, delta, k_desc, v_desc, batch, head, sees,
        0, full, scale2, False, BLOCK_N, BLOCK_D, PRECISION,
    )
    dq = dq_blocks(
        dq, q, dout, lse, delta, k_desc, v_desc, batch, head, sees,
        full, last, scale2, True, BLOCK_N, BLOCK_D, PRECISION,
    )
    dq = (dq * scale).to(dq_desc.dtype)
    dq_desc.store(
        [batch, head, start, 0], dq.reshape([1, 1, BLOCK_M, BLOCK_D])
    )
# --8<-- [end:dq]


# --8<-- [start:wrapper]
def backward_tiles(dtype, dim):
    """For dk and dv, then for dq: queries, keys, warps and stages."""
    if dtype == torch.float32:
        return (32, 32, 4, 1), (32, 32, 4, 1)
    if dim <= 64:
        return (64, 64, 4, 3), (64, 64, 4, 2)
    return (64, 64, 4, 2), (128, 64, 8, 3)


def attention_backward(
    q, k, v, out, lse, dout, causal=False, scale=None, tiles=None
):
    """The gradients of q, k and v, from what the forward returned."""
    scale = check_attention(q, k, v, scale)
    if dout.shape != q.shape or dout.dtype != q.dtype:
        raise ValueError(
            f"q is {tuple(q.shape)} of {q.dtype}, "
            f"dout {tuple(dout.shape)} of {dout.dtype}"
        )
    batches, heads, queries, dim = q.shape
    keys = k.shape[2]
    dq, dk, dv = (
        torch.empty(x.shape, dtype=x.dtype, device=x.device)
        for x in (q, k, v)
    )
    if q.numel() == 0 or k.numel() == 0:
        return dq.zero_(), dk.zero_(), dv.zero_()
    q, k, v, out, dout = (describable(x) for x in (q, k, v, out, dout))
    delta = torch.empty(q.shape[:3], device=q.device)
    out_desc = described(out, 32)
    block_d = out_desc.block_shape[3]
    delta_kernel[(triton.cdiv(queries, 32), batches * heads)](
        out_desc, described(dout, 32), delta, heads, queries,
        BLOCK_M=32, BLOCK_D=block_d,
    )
    precision = "ieee" if q.dtype == torch.float32 else "tf32"
    for_kv, for_q = tiles or backward_tiles(q.dtype, dim)
    m, n, warps, stages = for_kv
    dkdv_kernel[(triton.cdiv(keys, n), batches * heads)](
        described(q, m), described(k, n), described(v, n),
        described(dout, m), described(dk, n), described(dv, n),
        lse, delta, heads, queries, keys,
        scale, scale * LOG2E, CAUSAL=causal,
        BLOCK_M=m, BLOCK_N=n, BLOCK_D=block_d, PRECISION=precision,
        num_warps=warps, num_stages=stages,
    )
    m, n, warps, stages = for_q
    dq_kernel[(triton.cdiv(queries, m), batches * heads)](
        described(q, m), described(k, n), described(v, n),
        described(dout, m), described(dq, m),
        lse, delta, heads, queries, keys,
        scale, scale * LOG2E, CAUSAL=causal,
        BLOCK_M=m, BLOCK_N=n, BLOCK_D=block_d, PRECISION=precision,
        num_warps=warps, num_stages=stages,
    )
    return dq, dk, dv
# --8<-- [end:wrapper]


# --8<-- [start:autograd]
class Attention(torch.autograd.Function):
    @staticmethod
    def forward(ctx, q, k, v, causal, scale):
        out, lse = attention_forward(q, k, v, causal, scale)
        ctx.save_for_backward(q, k, v, out, lse)
        ctx.causal, ctx.scale = causal, scale
        return out

    @staticmethod
    def backward(ctx, dout):
        grads = attention_backward(
            *ctx.saved_tensors, dout, ctx.causal, ctx.scale
        )
        return *grads, None, None


def attention(q, k, v, causal=False, scale=None):
    """softmax(q k^T scale) v, with gradients of first order."""
    return Attention.apply(q, k, v, causal, scale)
# --8<-- [end:autograd]


def gradients(function, q, k, v, dout, causal, scale=None):
    """The gradients of q, k and v of function, given the output's."""
    leaves = [x.detach().requires_grad_() for x in (q, k, v)]
    out = function(*leaves, causal, scale)
    return torch.autograd.grad(out, leaves, dout)


if __name__ == "__main__":
    print("== 16.4.1 gradients beside those of float64 ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    for dtype in (torch.float32, torch.float16):
        for queries, keys, dim in ((33, 33, 64), (50, 37, 40)):
            q, dout = torch.randn(2, 1, 2, queries, dim)
            k, v = torch.randn(2, 1, 2, keys, dim)
            data = [x.to(DEVICE, dtype) for x in (q, k, v, dout)]
            ours = gradients(attention, *data, True)
            true = gradients(
                attention_oracle, *(x.double() for x in data), True
            )
            for name, x, t in zip(("dq", "dk", "dv"), ours, true):
                print(
                    f"{dtype}, {queries} x {keys}, {name}, relative "
                    f"error: {relative_error(x, t):.1e}"
                )
    # --8<-- [end:demo]
