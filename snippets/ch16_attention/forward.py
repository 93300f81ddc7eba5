"""16.3: attention, forward, causal or not: tensor descriptors, powers
of two, masks only where they are needed."""

# /// capture
# timeout = 120
# [labels]
# "torch.float32*error" = { kind = "bound", limit = 2e-6 }
# "torch.float16*error" = { kind = "bound", limit = 2e-3 }
# ///

import math

import torch
import triton
import triton.language as tl
from triton.tools.tensor_descriptor import TensorDescriptor

from ch16_attention.oracle import attention_oracle

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DTYPES = torch.bfloat16, torch.float16, torch.float32
LOG2E = math.log2(math.e)


# --8<-- [start:blocks]
@triton.jit
def attend_blocks(
    acc,  # BLOCK_M x BLOCK_D, sums of weights times v so far
    largest,  # BLOCK_M, the largest score so far, in base 2
    total,  # BLOCK_M, the sum of weights so far
    q,  # BLOCK_M x BLOCK_D, the queries
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
        scores = tl.dot(q, k.T, input_precision=PRECISION)
        if MASKED:
            columns = start + tl.arange(0, BLOCK_N)
            keep = columns[None, :] < sees[:, None]
            scores = tl.where(keep, scores, float("-inf"))
        new = tl.maximum(largest, tl.max(scores, 1) * scale2)
        anchor = new
        if MASKED:  # a row that has seen nothing yet
            anchor = tl.where(new == float("-inf"), 0.0, new)
        p = tl.exp2(scores * scale2 - anchor[:, None])
        shrink = tl.exp2(largest - anchor)
        total = total * shrink + tl.sum(p, 1)
        acc = acc * shrink[:, None]
        v = v_desc.load([batch, head, start, 0])
        v = v.reshape([BLOCK_N, BLOCK_D])
        acc = tl.dot(p.to(v.dtype), v, acc, input_precision=PRECISION)
        largest = new
    return acc, largest, total
# --8<-- [end:blocks]


# --8<-- [start:kernel]
@triton.jit
def attention_kernel(
    q_desc,  # descriptor of the queries, blocks of BLOCK_M x BLOCK_D
    k_desc,  # descriptor of the keys, blocks of BLOCK_N x BLOCK_D
    v_desc,  # descriptor of the values, likewise
    out_desc,  # descriptor of the output, blocks like q's
    lse_ptr,  # address of the logsumexps in base 2, contiguous
    heads,  # heads in a batch
    queries,  # length of the query sequence
    keys,  # length of the key sequence
    scale2,  # scale of the scores times log2(e), above 0
    CAUSAL: tl.constexpr,  # the last query sees all, others less
    LONG_FIRST: tl.constexpr,  # programs with many keys come first
    BLOCK_M: tl.constexpr,  # queries a program
    BLOCK_N: tl.constexpr,  # keys a turn
    BLOCK_D: tl.constexpr,  # lanes for the head dimension
    PRECISION: tl.constexpr,  # input_precision of the dots
):
    tile = tl.program_id(0)
    if LONG_FIRST:
        tile = tl.num_programs(0) - 1 - tile
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

    q = q_desc.load([batch, head, start, 0])
    q = q.reshape([BLOCK_M, BLOCK_D])
    acc = tl.zeros([BLOCK_M, BLOCK_D], tl.float32)
    largest = tl.full([BLOCK_M], float("-inf"), tl.float32)
    total = tl.zeros([BLOCK_M], tl.float32)
    acc, largest, total = attend_blocks(
        acc, largest, total, q, k_desc, v_desc, batch, head, sees,
        0, full, scale2, False, BLOCK_N, BLOCK_D, PRECISION,
    )
    acc, largest, total = attend_blocks(
        acc, largest, total, q, k_desc, v_desc, batch, head, sees,
        full, last, scale2, True, BLOCK_N, BLOCK_D, PRECISION,
    )
    empty = total == 0.0  # this query sees no key
    total = tl.where(empty, 1.0, total)
    lse = tl.where(empty, float("inf"), largest + tl.log2(total))
    lse_ptrs = lse_ptr + tl.program_id(1).to(tl.int64) * queries + rows
    tl.store(lse_ptrs, lse, mask=rows < queries)
    out = (acc * (1.0 / total)[:, None]).to(out_desc.dtype)
    out = out.reshape([1, 1, BLOCK_M, BLOCK_D])
    out_desc.store([batch, head, start, 0], out)
# --8<-- [end:kernel]


# --8<-- [start:checks]
def check_attention(q, k, v, scale):
    """The contract of q, k and v, and the scale as a number."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.dim() != 4:
            raise ValueError(
                f"{name} must be (batch, heads, length, head dim), "
                f"got shape {tuple(x.shape)}"
            )
        if x.dtype not in DTYPES:
            raise TypeError(f"{name} is {x.dtype}")
        if x.device.type != DEVICE:
            raise ValueError(f"{name} is on {x.device}, not {DEVICE}")
        if x.dtype != q.dtype:
            raise TypeError(f"q is {q.dtype}, but {name} is {x.dtype}")
    batches, heads, _, dim = q.shape
    if k.shape != v.shape or (*k.shape[:2], k.shape[3]) != (
        batches, heads, dim
    ):
        raise ValueError(
            f"q is {tuple(q.shape)}, k {tuple(k.shape)}, "
            f"v {tuple(v.shape)}"
        )
    if batches * heads > 65535:  # CUDA's limit for a grid's axis 1
        raise ValueError(
            f"batch {batches} times heads {heads}, at most 65535"
        )
    if not 8 <= dim <= 128 or dim % 8:
        raise ValueError(
            f"head dim {dim}, wanted a multiple of 8 up to 128"
        )
    scale = dim**-0.5 if scale is None else float(scale)
    if not 0.0 < scale < math.inf:
        raise ValueError(f"scale is {scale}, wanted a positive number")
    return scale


def described(x, rows):
    """A descriptor of x in blocks of so many rows of one head."""
    block = [1, 1, rows, max(16, triton.next_power_of_2(x.shape[3]))]
    return TensorDescriptor.from_tensor(x, block)


def describable(x):
    """x itself, or a copy whose strides a descriptor can hold."""
    wide = 16 // x.element_size()
    if x.stride(3) == 1 and x.data_ptr() % 16 == 0:
        if all(s % wide == 0 for s in x.stride()[:3]):
            return x
    return x.clone(memory_format=torch.contiguous_format)
# --8<-- [end:checks]


# --8<-- [start:wrapper]
def forward_tile(dtype, dim):
    """Queries, keys, warps and stages: by dtype and head dim."""
    if dtype == torch.float32:
        return 32, 32, 4, 1
    return (64, 128, 4, 2) if dim <= 64 else (64, 64, 4, 3)


def attention_forward(
    q, k, v, causal=False, scale=None, tile=None,
    long_first=True,
):
    """softmax(q k^T scale) v, and its logsumexps in base 2.

    With causal, the last query sees every key, the one before it all
    but the last, and so on. A query that sees no key gives zeros.
    """
    scale = check_attention(q, k, v, scale)
    batches, heads, queries, dim = q.shape
    keys = k.shape[2]
    out = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    lse = torch.empty(q.shape[:3], device=q.device)
    if q.numel() == 0:
        return out, lse
    if keys == 0:
        return out.zero_(), lse.fill_(math.inf)
    block_m, block_n, warps, stages = tile or forward_tile(q.dtype, dim)
    q, k, v = (describable(x) for x in (q, k, v))
    q_desc = described(q, block_m)
    attention_kernel[(triton.cdiv(queries, block_m), batches * heads)](
        q_desc,
        described(k, block_n),
        described(v, block_n),
        described(out, block_m),
        lse,
        heads,
        queries,
        keys,
        scale * LOG2E,
        CAUSAL=causal,
        LONG_FIRST=long_first,
        BLOCK_M=block_m,
        BLOCK_N=block_n,
        BLOCK_D=q_desc.block_shape[3],
        PRECISION="ieee" if q.dtype == torch.float32 else "tf32",
        num_warps=warps,
        num_stages=stages,
    )
    return out, lse
# --8<-- [end:wrapper]


def relative_error(x, true):
    """The size of x - true, over the size of true, in float64."""
    if true.numel() == 0:
        return 0.0
    true = true.double()
    return ((x.double() - true).norm() / true.norm()).item()


if __name__ == "__main__":
    print("== 16.3.1 lengths, head dims, causal or not ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    for dtype in (torch.float32, torch.float16):
        for queries, keys, dim in ((65, 65, 64), (50, 37, 40)):
            q = torch.randn(1, 2, queries, dim).to(DEVICE, dtype)
            k, v = torch.randn(2, 1, 2, keys, dim).to(DEVICE, dtype)
            for causal in (False, True):
                out, lse = attention_forward(q, k, v, causal)
                error = relative_error(
                    out,
                    attention_oracle(
                        q.double(), k.double(), v.double(), causal
                    ),
                )
                name = f"{dtype}, {queries} x {keys}, causal {causal}"
                print(f"{name}, relative error: {error:.1e}")
                print(f"{name}, rows of zeros: "
                      f"{int((out == 0).all(-1).sum())}")
    # --8<-- [end:demo]
