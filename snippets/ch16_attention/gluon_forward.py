"""16.5: the forward pass once more, in Gluon: one warp loads, two
groups of four warps compute, and products overlap the softmax."""

# /// capture
# runners = ["gpu"]
# [labels]
# "*error" = { kind = "bound", limit = 8e-3 }
# ///

import torch
import triton
from triton.experimental import gluon
from triton.experimental.gluon import language as gl
from triton.experimental.gluon.language.nvidia.hopper import (
    fence_async_shared,
    mbarrier,
    tma,
    warpgroup_mma,
    warpgroup_mma_wait,
)
from triton.experimental.gluon.nvidia import hopper

from ch16_attention.forward import (
    LOG2E,
    check_attention,
    describable,
    relative_error,
)
from ch16_attention.oracle import attention_oracle


# --8<-- [start:softmax]
@gluon.jit
def softmax_step(
    scores,  # 64 x BLOCK_N, what the product gave
    largest,  # 64, the largest score so far, in base 2
    total,  # 64, the sum of weights so far
    sees,  # 64, how many keys each query may see
    start,  # the first key of the block
    scale2,  # scale of the scores times log2(e)
    MASKED: gl.constexpr,  # some query does not see some key
    BLOCK_N: gl.constexpr,  # keys a turn
    SCORES: gl.constexpr,  # which thread holds which score
):
    if MASKED:
        lanes: gl.constexpr = gl.SliceLayout(0, SCORES)
        columns = start + gl.arange(0, BLOCK_N, lanes)
        keep = columns[None, :] < sees[:, None]
        scores = gl.where(keep, scores, float("-inf"))
    new = gl.maximum(largest, gl.max(scores, 1) * scale2)
    anchor = new
    if MASKED:  # a row that has seen nothing yet
        anchor = gl.where(new == float("-inf"), 0.0, new)
    p = gl.exp2(scores * scale2 - anchor[:, None])
    shrink = gl.exp2(largest - anchor)
    return p, new, total * shrink + gl.sum(p, 1), shrink
# --8<-- [end:softmax]


# --8<-- [start:turn]
@gluon.jit
def take_turn(
    acc,  # 64 x BLOCK_D, sums of weights times v so far
    p,  # 64 x BLOCK_N, the weights of the turn before
    largest,  # 64, the largest score so far, in base 2
    total,  # 64, the sum of weights so far
    q,  # 64 x BLOCK_D in shared memory
    shared,  # buffers of keys and of values
    full,  # barriers: keys arrived, values arrived
    free,  # barriers: keys used, values used
    sees,  # 64, how many keys each query may see
    start,  # the first key of the block
    turn,  # how many blocks came before, at least 1
    scale2,  # scale of the scores times log2(e)
    MASKED: gl.constexpr,  # some query does not see some key
    BLOCK_N: gl.constexpr,  # keys a turn
    BLOCK_D: gl.constexpr,  # head dimension
    STAGES: gl.constexpr,  # buffers of keys, and of values
    SCORES: gl.constexpr,  # which thread holds which score
    SUMS: gl.constexpr,  # which thread holds which sum
    WEIGHTS: gl.constexpr,  # which thread holds which weight
):
    k_buffers, v_buffers = shared
    now, before = turn % STAGES, (turn - 1) % STAGES
    mbarrier.wait(full[0].index(now), turn // STAGES & 1)
    k = k_buffers.index(now).reshape([BLOCK_N, BLOCK_D])
    scores = gl.zeros([64, BLOCK_N], gl.float32, SCORES)
    scores = warpgroup_mma(
        q, k.permute([1, 0]), scores, use_acc=False, is_async=True
    )
    mbarrier.wait(full[1].index(before), (turn - 1) // STAGES & 1)
    v = v_buffers.index(before).reshape([BLOCK_N, BLOCK_D])
    acc = warpgroup_mma(p, v, acc, is_async=True)
    scores = warpgroup_mma_wait(1, deps=[scores])  # not for acc
    mbarrier.arrive(free[0].index(now), count=1)
    weights, largest, total, shrink = softmax_step(
        scores, largest, total, sees, start, scale2,
        MASKED, BLOCK_N, SCORES,
    )
    acc = warpgroup_mma_wait(0, deps=[acc])
    mbarrier.arrive(free[1].index(before), count=1)
    shrink = gl.convert_layout(shrink, gl.SliceLayout(1, SUMS))
    acc = acc * shrink[:, None]
    p = gl.convert_layout(weights.to(p.dtype), WEIGHTS)
    return acc, p, largest, total
# --8<-- [end:turn]


# --8<-- [start:order]
@gluon.jit
def share_of(
    tiles,  # blocks of queries in a head
    pairs,  # batches times heads
    PAIRED: gl.constexpr,  # a long tile and a short one together
):
    """How many tiles this program gets."""
    place = gl.program_id(0)
    if PAIRED:
        couples = gl.cdiv(tiles, 2) * pairs
        return 2 * gl.cdiv(couples - place, gl.num_programs(0))
    return gl.cdiv(tiles * pairs - place, gl.num_programs(0))


@gluon.jit
def tile_of(
    number,  # which of its tiles
    tiles,  # blocks of queries in a head
    PAIRED: gl.constexpr,  # a long tile and a short one together
):
    """Which pair, and which block of its queries.

    Where tiles is odd, one of a couple is beyond the end.
    """
    place = gl.program_id(0)
    if PAIRED:
        half = gl.cdiv(tiles, 2)
        couple = number // 2 * gl.num_programs(0) + place
        short = couple % half
        long = 2 * half - 1 - short
        return couple // half, gl.where(number % 2 == 0, long, short)
    tile = number * gl.num_programs(0) + place
    return tile // tiles, tiles - 1 - tile % tiles  # long ones first
# --8<-- [end:order]


# --8<-- [start:compute]
@gluon.jit
def blocks_of(
    tile,  # which block of queries
    queries,  # length of the query sequence
    keys,  # length of the key sequence
    CAUSAL: gl.constexpr,  # the last query sees all, others less
    BLOCK_M: gl.constexpr,  # queries a tile
    BLOCK_N: gl.constexpr,  # keys a turn
):
    """How many blocks of keys some query of the tile sees."""
    last = keys
    if CAUSAL:
        last = tile * BLOCK_M + BLOCK_M + keys - queries
        last = gl.minimum(last, keys)
    last = gl.where(tile * BLOCK_M < queries, last, 0)
    return gl.cdiv(gl.maximum(last, 0), BLOCK_N)


@gluon.jit
def compute(
    WARPS: gl.constexpr,  # which group of warps: 0 or 1
    q_out,  # buffers of the queries and of the output
    q_bars,  # barriers: queries arrived, queries used
    shared,  # buffers of keys and of values
    full,  # barriers: keys arrived, values arrived
    free,  # barriers: keys used, values used
    out_desc,  # descriptor of the output, blocks of 64 x BLOCK_D
    lse_ptr,  # address of the logsumexps in base 2, contiguous
    sizes,  # pairs, heads, queries, keys
    scale2,  # scale of the scores times log2(e), above 0
    CAUSAL: gl.constexpr,  # the last query sees all, others less
    PAIRED: gl.constexpr,  # a long tile and a short one together
    BLOCK_M: gl.constexpr,  # queries a tile
    BLOCK_N: gl.constexpr,  # keys a turn
    BLOCK_D: gl.constexpr,  # head dimension
    STAGES: gl.constexpr,  # buffers of keys, and of values
):
    SCORES: gl.constexpr = gl.NVMMADistributedLayout(
        [3, 0], [4, 1], [16, BLOCK_N, 16]
    )
    SUMS: gl.constexpr = gl.NVMMADistributedLayout(
        [3, 0], [4, 1], [16, BLOCK_D, 16]
    )
    WEIGHTS: gl.constexpr = gl.DotOperandLayout(0, SUMS, 2)
    ROWS: gl.constexpr = gl.SliceLayout(1, SCORES)
    pairs, heads, queries, keys = sizes
    q = q_out[0].index(WARPS).reshape([64, BLOCK_D])
    out_buffer = q_out[1].index(WARPS)
    dtype: gl.constexpr = q.dtype
    tiles = gl.cdiv(queries, BLOCK_M)
    turn = 0  # blocks of keys, over all tiles
    for number in range(share_of(tiles, pairs, PAIRED)):
        pair, tile = tile_of(number, tiles, PAIRED)
        blocks = blocks_of(
            tile, queries, keys, CAUSAL, BLOCK_M, BLOCK_N
        )
        start = tile * BLOCK_M + WARPS * 64
        rows = start + gl.arange(0, 64, ROWS)
        sees = gl.full([64], 0, gl.int32, ROWS) + keys
        whole = keys // BLOCK_N  # blocks that need no mask
        if CAUSAL:
            sees = gl.minimum(rows + 1 + keys - queries, keys)
            whole = gl.minimum(start + 1 + keys - queries, keys)
            whole = gl.maximum(whole, 0) // BLOCK_N
        masked = gl.maximum(blocks - whole, 1)
        acc = gl.zeros([64, BLOCK_D], gl.float32, SUMS)
        largest = gl.full([64], float("-inf"), gl.float32, ROWS)
        total = gl.zeros([64], gl.float32, ROWS)
        mbarrier.wait(q_bars[0], number & 1)
        if blocks > 0:
            # The last block of keys comes first, and has no turn
            # before it.
            now = turn % STAGES
            mbarrier.wait(full[0].index(now), turn // STAGES & 1)
            k = shared[0].index(now).reshape([BLOCK_N, BLOCK_D])
            scores = gl.zeros([64, BLOCK_N], gl.float32, SCORES)
            scores = warpgroup_mma(
                q, k.permute([1, 0]), scores, use_acc=False,
                is_async=True,
            )
            scores = warpgroup_mma_wait(0, deps=[scores])
            mbarrier.arrive(free[0].index(now), count=1)
            weights, largest, total, shrink = softmax_step(
                scores, largest, total, sees, (blocks - 1) * BLOCK_N,
                scale2, True, BLOCK_N, SCORES,
            )
            p = gl.convert_layout(weights.to(dtype), WEIGHTS)
            for i in range(1, masked):
                acc, p, largest, total = take_turn(
                    acc, p, largest, total, q, shared, full, free,
                    sees, (blocks - 1 - i) * BLOCK_N, turn + i, scale2,
                    True, BLOCK_N, BLOCK_D, STAGES,
                    SCORES, SUMS, WEIGHTS,
                )
            for i in range(masked, blocks):
                acc, p, largest, total = take_turn(
                    acc, p, largest, total, q, shared, full, free,
                    sees, (blocks - 1 - i) * BLOCK_N, turn + i, scale2,
                    False, BLOCK_N, BLOCK_D, STAGES,
                    SCORES, SUMS, WEIGHTS,
                )
            mbarrier.arrive(q_bars[1], count=1)
            turn += blocks
            before = (turn - 1) % STAGES
            mbarrier.wait(
                full[1].index(before), (turn - 1) // STAGES & 1
            )
            v = shared[1].index(before).reshape([BLOCK_N, BLOCK_D])
            acc = warpgroup_mma(p, v, acc, is_async=True)
            acc = warpgroup_mma_wait(0, deps=[acc])
            mbarrier.arrive(free[1].index(before), count=1)
        else:
            mbarrier.arrive(q_bars[1], count=1)
        empty = total == 0.0  # this query sees no key
        total = gl.where(empty, 1.0, total)
        lse = gl.where(empty, float("inf"), largest + gl.log2(total))
        lse_ptrs = lse_ptr + pair.to(gl.int64) * queries + rows
        gl.store(lse_ptrs, lse, mask=rows < queries)
        part = gl.convert_layout(1.0 / total, gl.SliceLayout(1, SUMS))
        tma.store_wait(0)  # the buffer is free again
        out = (acc * part[:, None]).to(dtype)
        out_buffer.reshape([64, BLOCK_D]).store(out)
        fence_async_shared()
        tma.async_copy_shared_to_global(
            out_desc, [pair // heads, pair % heads, start, 0],
            out_buffer,
        )
    tma.store_wait(0)
# --8<-- [end:compute]


# --8<-- [start:load]
@gluon.jit
def load(
    q_desc,  # descriptor of the queries, blocks of 64 x BLOCK_D
    k_desc,  # descriptor of the keys, blocks of BLOCK_N x BLOCK_D
    v_desc,  # descriptor of the values, likewise
    q_out,  # buffers of the queries and of the output
    q_bars,  # barriers: queries arrived, queries used
    shared,  # buffers of keys and of values
    full,  # barriers: keys arrived, values arrived
    free,  # barriers: keys used, values used
    sizes,  # pairs, heads, queries, keys
    CAUSAL: gl.constexpr,  # the last query sees all, others less
    PAIRED: gl.constexpr,  # a long tile and a short one together
    BLOCK_M: gl.constexpr,  # queries a tile
    BLOCK_N: gl.constexpr,  # keys a turn
    STAGES: gl.constexpr,  # buffers of keys, and of values
):
    pairs, heads, queries, keys = sizes
    tiles = gl.cdiv(queries, BLOCK_M)
    turn = 0
    for number in range(share_of(tiles, pairs, PAIRED)):
        pair, tile = tile_of(number, tiles, PAIRED)
        batch = pair // heads
        head = pair % heads
        blocks = blocks_of(
            tile, queries, keys, CAUSAL, BLOCK_M, BLOCK_N
        )
        mbarrier.wait(q_bars[1], number & 1 ^ 1)
        mbarrier.expect(q_bars[0], 2 * q_desc.block_type.nbytes)
        for warps in gl.static_range(2):
            row = tile * BLOCK_M + warps * 64
            tma.async_copy_global_to_shared(
                q_desc, [batch, head, row, 0], q_bars[0],
                q_out[0].index(warps),
            )
        for i in range(blocks):
            now, phase = (turn + i) % STAGES, (turn + i) // STAGES & 1
            start = (blocks - 1 - i) * BLOCK_N
            mbarrier.wait(free[0].index(now), phase ^ 1)
            mbarrier.expect(
                full[0].index(now), k_desc.block_type.nbytes
            )
            tma.async_copy_global_to_shared(
                k_desc, [batch, head, start, 0], full[0].index(now),
                shared[0].index(now),
            )
            mbarrier.wait(free[1].index(now), phase ^ 1)
            mbarrier.expect(
                full[1].index(now), v_desc.block_type.nbytes
            )
            tma.async_copy_global_to_shared(
                v_desc, [batch, head, start, 0], full[1].index(now),
                shared[1].index(now),
            )
        turn += blocks
# --8<-- [end:load]


# --8<-- [start:kernel]
@gluon.jit(do_not_specialize=["pairs", "heads", "queries", "keys"])
def gluon_kernel(
    q_desc,  # descriptor of the queries, blocks of 64 x BLOCK_D
    k_desc,  # descriptor of the keys, blocks of BLOCK_N x BLOCK_D
    v_desc,  # descriptor of the values, likewise
    out_desc,  # descriptor of the output, blocks like q's
    lse_ptr,  # address of the logsumexps in base 2, contiguous
    pairs,  # batches times heads
    heads,  # heads in a batch
    queries,  # length of the query sequence
    keys,  # length of the key sequence
    scale2,  # scale of the scores times log2(e), above 0
    CAUSAL: gl.constexpr,  # the last query sees all, others less
    PAIRED: gl.constexpr,  # a long tile and a short one together
    BLOCK_M: gl.constexpr,  # queries a tile, 64 for each group
    BLOCK_N: gl.constexpr,  # keys a turn
    BLOCK_D: gl.constexpr,  # head dimension
    STAGES: gl.constexpr,  # buffers of keys, and of values
    num_warps: gl.constexpr,  # warps in a group: 4
):
    dtype: gl.constexpr = q_desc.dtype
    rows: gl.constexpr = [2, 1, 1, 64, BLOCK_D]
    block: gl.constexpr = [STAGES, 1, 1, BLOCK_N, BLOCK_D]
    one: gl.constexpr = mbarrier.MBarrierLayout()
    q_out = (
        gl.allocate_shared_memory(dtype, rows, q_desc.layout),
        gl.allocate_shared_memory(dtype, rows, q_desc.layout),
    )
    shared = (
        gl.allocate_shared_memory(dtype, block, k_desc.layout),
        gl.allocate_shared_memory(dtype, block, v_desc.layout),
    )
    q_bars = (
        gl.allocate_shared_memory(gl.int64, [1], one),
        gl.allocate_shared_memory(gl.int64, [1], one),
    )
    full = (
        gl.allocate_shared_memory(gl.int64, [STAGES, 1], one),
        gl.allocate_shared_memory(gl.int64, [STAGES, 1], one),
    )
    free = (
        gl.allocate_shared_memory(gl.int64, [STAGES, 1], one),
        gl.allocate_shared_memory(gl.int64, [STAGES, 1], one),
    )
    mbarrier.init(q_bars[0], count=1)
    mbarrier.init(q_bars[1], count=2)
    for i in gl.static_range(STAGES):
        for j in gl.static_range(2):
            mbarrier.init(full[j].index(i), count=1)
            mbarrier.init(free[j].index(i), count=2)
    sizes = (pairs, heads, queries, keys)
    gl.warp_specialize(
        [
            (compute, (
                0, q_out, q_bars, shared, full, free, out_desc,
                lse_ptr, sizes, scale2,
                CAUSAL, PAIRED, BLOCK_M, BLOCK_N, BLOCK_D, STAGES,
            )),
            (compute, (
                1, q_out, q_bars, shared, full, free, out_desc,
                lse_ptr, sizes, scale2,
                CAUSAL, PAIRED, BLOCK_M, BLOCK_N, BLOCK_D, STAGES,
            )),
            (load, (
                q_desc, k_desc, v_desc, q_out, q_bars, shared, full,
                free, sizes, CAUSAL, PAIRED, BLOCK_M, BLOCK_N, STAGES,
            )),
        ],
        [4, 1],  # warps of the second and of the third
        [240, 24],  # registers of a thread there
    )
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def gluon_described(x, rows):
    """A descriptor of x in blocks of so many rows of one head."""
    block = [1, 1, rows, x.shape[3]]
    dtype = gl.bfloat16 if x.dtype == torch.bfloat16 else gl.float16
    layout = gl.NVMMASharedLayout.get_default_for(block, dtype)
    return hopper.TensorDescriptor.from_tensor(x, block, layout)


def hopper_size(device):
    """The multiprocessors of an NVIDIA GPU of compute capability 9.0;
    every other device is refused."""
    if device.type != "cuda" or torch.version.hip:
        raise ValueError(f"{device} is not a GPU of NVIDIA's")
    gpu = torch.cuda.get_device_properties(device)
    if (gpu.major, gpu.minor) != (9, 0):
        raise ValueError(
            f"{gpu.name} is sm_{gpu.major}{gpu.minor}; gluon_forward "
            "runs on sm_90 only, attention_forward on any"
        )
    return gpu.multi_processor_count


def gluon_forward(
    q, k, v, causal=False, scale=None, paired=None
):
    """Like attention_forward, for half precision, dim 64 or 128."""
    scale = check_attention(q, k, v, scale)
    batches, heads, queries, dim = q.shape
    keys = k.shape[2]
    if q.element_size() != 2 or dim not in (64, 128):
        raise ValueError(
            f"q is {q.dtype} of head dim {dim}, wanted two bytes "
            "and 64 or 128"
        )
    out = torch.empty(q.shape, dtype=q.dtype, device=q.device)
    lse = torch.empty(q.shape[:3], device=q.device)
    if q.numel() == 0:
        return out, lse
    if keys == 0:
        return out.zero_(), lse.fill_(float("inf"))
    q, k, v = (describable(x) for x in (q, k, v))
    pairs = batches * heads
    tiles = triton.cdiv(queries, 128) * pairs
    size = hopper_size(q.device)
    if paired is None:  # couples are coarser: many must be there
        paired = causal and tiles >= 8 * size
    programs = min(size, tiles)
    gluon_kernel[(programs,)](
        gluon_described(q, 64),
        gluon_described(k, 128),
        gluon_described(v, 128),
        gluon_described(out, 64),
        lse,
        pairs,
        heads,
        queries,
        keys,
        scale * LOG2E,
        CAUSAL=causal,
        PAIRED=paired,
        BLOCK_M=128,
        BLOCK_N=128,
        BLOCK_D=dim,
        STAGES=2,
        num_warps=4,
    )
    return out, lse
# --8<-- [end:wrapper]


if __name__ == "__main__":
    # --8<-- [start:demo]
    torch.manual_seed(0)
    for queries, keys, dim, causal, paired in (
        (1000, 1000, 128, False, False),
        (1000, 1000, 128, True, False),
        (1000, 1000, 128, True, True),
        (450, 333, 128, True, True),
        (333, 450, 64, True, True),
    ):
        q = torch.randn(2, 40, queries, dim).cuda().bfloat16()
        k, v = torch.randn(2, 2, 40, keys, dim).cuda().bfloat16()
        out = gluon_forward(q, k, v, causal, paired=paired)[0]
        true = attention_oracle(
            q.double(), k.double(), v.double(), causal
        )
        print(
            f"{queries} x {keys}, dim {dim}, causal {causal}, paired "
            f"{paired}, error: {relative_error(out, true):.1e}"
        )
    # --8<-- [end:demo]
