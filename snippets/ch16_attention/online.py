"""16.2: attention block by block, with pointers: the softmax of a row
that is never whole, multiplied into v on the way."""

# /// capture
# [labels]
# "max abs diff *" = { kind = "bound", limit = 2e-6 }
# ///

import torch
import triton
import triton.language as tl

from ch16_attention.oracle import attention_oracle

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DTYPES = torch.bfloat16, torch.float16, torch.float32


# --8<-- [start:kernel]
@triton.jit
def online_kernel(
    q_ptr,  # address of q[0, 0], a head after the other, contiguous
    k_ptr,  # address of k[0, 0], likewise
    v_ptr,  # address of v[0, 0], likewise
    out_ptr,  # address of the output, like q
    queries,  # length of the query sequence
    keys,  # length of the key sequence
    dim,  # head dimension
    scale,  # of the scores
    CAUSAL: tl.constexpr,  # the last query sees all, others less
    RESCALE: tl.constexpr,  # False: a mistake, for the trap
    MASK_TAIL: tl.constexpr,  # False: another
    GUARD: tl.constexpr,  # False: a third
    BLOCK_M: tl.constexpr,  # queries a program
    BLOCK_N: tl.constexpr,  # keys a turn
    BLOCK_D: tl.constexpr,  # lanes for the head dimension
):
    head = tl.program_id(1).to(tl.int64)
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    last = keys
    if CAUSAL:  # nobody in this block sees more
        last = tl.program_id(0) * BLOCK_M + BLOCK_M + keys - queries
        last = tl.minimum(last, keys)
    lanes = tl.arange(0, BLOCK_D)
    q_ptrs = q_ptr + (head * queries + rows[:, None]) * dim + lanes
    q_mask = (rows[:, None] < queries) & (lanes < dim)
    q = tl.load(q_ptrs, mask=q_mask, other=0.0)
    acc = tl.zeros([BLOCK_M, BLOCK_D], tl.float32)
    largest = tl.full([BLOCK_M], float("-inf"), tl.float32)
    total = tl.zeros([BLOCK_M], tl.float32)
    for start in range(0, last, BLOCK_N):
        columns = start + tl.arange(0, BLOCK_N)
        offsets = (head * keys + columns[:, None]) * dim + lanes
        mask = (columns[:, None] < keys) & (lanes < dim)
        k = tl.load(k_ptr + offsets, mask=mask, other=0.0)
        scores = tl.dot(q, k.T, input_precision="ieee") * scale
        keep = rows[:, None] >= 0
        if MASK_TAIL:
            keep = keep & (columns < keys)
        if CAUSAL:
            keep = keep & (columns <= rows[:, None] + keys - queries)
        scores = tl.where(keep, scores, float("-inf"))
        new = tl.maximum(largest, tl.max(scores, 1))
        anchor = new
        if GUARD:  # a row that has seen nothing yet
            anchor = tl.where(new == float("-inf"), 0.0, new)
        p = tl.exp(scores - anchor[:, None])
        shrink = tl.exp(largest - anchor)
        total = total * shrink + tl.sum(p, 1)
        if RESCALE:
            acc = acc * shrink[:, None]
        v = tl.load(v_ptr + offsets, mask=mask, other=0.0)
        acc = tl.dot(p.to(v.dtype), v, acc, input_precision="ieee")
        largest = new
    if GUARD:
        total = tl.where(total == 0.0, 1.0, total)
    out = acc / total[:, None]
    out_ptrs = out_ptr + (head * queries + rows[:, None]) * dim + lanes
    tl.store(out_ptrs, out.to(q.dtype), mask=q_mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def online_attention(
    q, k, v, causal=False, scale=None, rescale=True, mask_tail=True,
    guard=True, block=16, warps=4,
):
    """softmax(q k^T scale) v in one pass over k and v."""
    for name, x in (("q", q), ("k", k), ("v", v)):
        if x.dtype not in DTYPES:
            raise TypeError(f"{name} is {x.dtype}")
        if x.dim() != 4 or not x.is_contiguous():
            raise ValueError(
                f"{name} must be 4-D and contiguous: shape "
                f"{tuple(x.shape)}, strides {x.stride()}"
            )
        if x.device.type != DEVICE or x.dtype != q.dtype:
            raise ValueError(f"{name} is on {x.device}, {x.dtype}")
    batches, heads, queries, dim = q.shape
    keys = k.shape[2]
    if k.shape != v.shape or k.shape != (batches, heads, keys, dim):
        raise ValueError(
            f"q is {tuple(q.shape)}, k {tuple(k.shape)}, "
            f"v {tuple(v.shape)}"
        )
    if batches * heads > 65535:  # CUDA's limit for a grid's axis 1
        raise ValueError(
            f"batch {batches} times heads {heads}, at most 65535"
        )
    out = torch.empty_like(q)
    if out.numel() == 0:
        return out
    scale = dim**-0.5 if scale is None else scale
    grid = (triton.cdiv(queries, block), batches * heads)
    online_kernel[grid](
        q, k, v, out, queries, keys, dim, scale,
        CAUSAL=causal, RESCALE=rescale, MASK_TAIL=mask_tail,
        GUARD=guard, BLOCK_M=block, BLOCK_N=block,
        BLOCK_D=max(16, triton.next_power_of_2(dim)), num_warps=warps,
    )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 16.2.2 any length ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    for queries, keys, dim in ((32, 32, 16), (37, 50, 24), (1, 7, 64)):
        q = torch.randn(1, 2, queries, dim).to(DEVICE)
        k, v = torch.randn(2, 1, 2, keys, dim).to(DEVICE)
        for causal in (False, True):
            out = online_attention(q, k, v, causal)
            true = attention_oracle(
                q.double(), k.double(), v.double(), causal
            )
            diff = (out.double() - true).abs().max().item()
            name = f"{queries} x {keys}, dim {dim}, causal {causal}"
            print(f"max abs diff {name}: {diff:.1e}")
    # --8<-- [end:demo]
