"""13.5.4: one warp that loads, eight that multiply: the persistent
kernel in Gluon, where who does what is written down."""

# /// capture
# runners = ["gpu"]
# [labels]
# "* error" = { kind = "bound", limit = 5e-3 }
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

from ch13_matmul.descriptors import fits_descriptor
from ch13_matmul.naive import check_matrices
from ch13_matmul.persistent import multiprocessors

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:order]
@gluon.jit
def gluon_tile_at(
    number,  # which tile, counted in the order of the groups
    tiles_m,  # how many rows of tiles
    tiles_n,  # how many columns of tiles
    GROUP: gl.constexpr,  # how many rows of tiles make a group
):
    first = number // (GROUP * tiles_n) * GROUP
    height = gl.minimum(GROUP, tiles_m - first)
    inside = number % (GROUP * tiles_n)
    return first + inside % height, inside // height
# --8<-- [end:order]


# --8<-- [start:load]
@gluon.jit
def load_tiles(
    a_desc,  # descriptor of a, in blocks of BLOCK_M x BLOCK_K
    b_desc,  # descriptor of b, in blocks of BLOCK_K x BLOCK_N
    a_slots,  # shared memory for STAGES blocks of a
    b_slots,  # shared memory for STAGES blocks of b
    full,  # a barrier for each slot: what it waits for is there
    empty,  # a barrier for each slot: it may be overwritten
    M,  # rows of a and out
    N,  # columns of b and out
    K,  # columns of a, rows of b
    GROUP: gl.constexpr,  # how many rows of tiles make a group
):
    BLOCK_M: gl.constexpr = a_slots.shape[1]
    BLOCK_K: gl.constexpr = a_slots.shape[2]
    BLOCK_N: gl.constexpr = b_slots.shape[2]
    STAGES: gl.constexpr = a_slots.shape[0]
    tiles_m, tiles_n = gl.cdiv(M, BLOCK_M), gl.cdiv(N, BLOCK_N)
    tiles = tiles_m * tiles_n
    slot = 0
    phase = 1  # a new barrier counts as if it had just opened
    for number in range(gl.program_id(0), tiles, gl.num_programs(0)):
        i, j = gluon_tile_at(number, tiles_m, tiles_n, GROUP)
        row, col = i * BLOCK_M, j * BLOCK_N
        for k in range(0, K, BLOCK_K):
            mbarrier.wait(empty.index(slot), phase)
            ready = full.index(slot)
            mbarrier.expect(
                ready,
                a_desc.block_type.nbytes + b_desc.block_type.nbytes,
            )
            tma.async_copy_global_to_shared(
                a_desc, [row, k], ready, a_slots.index(slot)
            )
            tma.async_copy_global_to_shared(
                b_desc, [k, col], ready, b_slots.index(slot)
            )
            slot += 1
            if slot == STAGES:
                slot = 0
                phase ^= 1
# --8<-- [end:load]


# --8<-- [start:store]
@gluon.jit
def store_half(
    out_desc,  # descriptor of out
    row,  # first row of what is stored
    col,  # first column of what is stored
    acc,  # what is stored, in float32
    out_slot,  # shared memory for it
):
    tma.store_wait(0)  # until the last store has left the slot
    out_slot.store(acc.to(out_desc.dtype))
    fence_async_shared()
    tma.async_copy_shared_to_global(out_desc, [row, col], out_slot)
# --8<-- [end:store]


# --8<-- [start:multiply]
@gluon.jit
def multiply_tiles(
    out_desc,  # descriptor of out, BLOCK_M / 2 x BLOCK_N / 2
    a_slots,  # shared memory for STAGES blocks of a
    b_slots,  # shared memory for STAGES blocks of b
    out_slots,  # shared memory for two blocks of out
    full,  # a barrier for each slot: what it waits for is there
    empty,  # a barrier for each slot: it may be overwritten
    M,  # rows of a and out
    N,  # columns of b and out
    K,  # columns of a, rows of b
    HALF: gl.constexpr,  # 0 or 1: upper or lower half of a tile
    GROUP: gl.constexpr,  # how many rows of tiles make a group
):
    BLOCK_M: gl.constexpr = a_slots.shape[1]
    BLOCK_K: gl.constexpr = a_slots.shape[2]
    BLOCK_N: gl.constexpr = b_slots.shape[2]
    STAGES: gl.constexpr = a_slots.shape[0]
    ROWS: gl.constexpr = BLOCK_M // 2
    LAYOUT: gl.constexpr = gl.NVMMADistributedLayout(
        version=[3, 0],
        warps_per_cta=[4, 1],
        instr_shape=[16, BLOCK_N, 16],
    )
    tiles_m, tiles_n = gl.cdiv(M, BLOCK_M), gl.cdiv(N, BLOCK_N)
    tiles = tiles_m * tiles_n
    out_slot = out_slots.index(HALF)
    slot = 0
    phase = 0
    for number in range(gl.program_id(0), tiles, gl.num_programs(0)):
        acc = gl.zeros((ROWS, BLOCK_N), gl.float32, LAYOUT)
        for k in range(0, K, BLOCK_K):
            mbarrier.wait(full.index(slot), phase)
            a = a_slots.index(slot).slice(HALF * ROWS, ROWS)
            b = b_slots.index(slot)
            acc = warpgroup_mma(a, b, acc, use_acc=k > 0, is_async=True)
            # One product stays under way; the one before is done.
            acc = warpgroup_mma_wait(num_outstanding=1, deps=(acc,))
            before = slot - 1
            if before < 0:
                before = STAGES - 1
            mbarrier.arrive(empty.index(before), pred=k > 0)
            slot += 1
            if slot == STAGES:
                slot = 0
                phase ^= 1
        acc = warpgroup_mma_wait(num_outstanding=0, deps=(acc,))
        last = slot - 1
        if last < 0:
            last = STAGES - 1
        mbarrier.arrive(empty.index(last))
        i, j = gluon_tile_at(number, tiles_m, tiles_n, GROUP)
        row, col = i * BLOCK_M + HALF * ROWS, j * BLOCK_N
        halves = acc.reshape([ROWS, 2, BLOCK_N // 2])
        left, right = halves.permute(0, 2, 1).split()
        store_half(out_desc, row, col, left, out_slot)
        store_half(out_desc, row, col + BLOCK_N // 2, right, out_slot)
    tma.store_wait(0)
# --8<-- [end:multiply]


# --8<-- [start:kernel]
@gluon.jit
def specialized_kernel(
    a_desc,  # descriptor of a, in blocks of BLOCK_M x BLOCK_K
    b_desc,  # descriptor of b, in blocks of BLOCK_K x BLOCK_N
    out_desc,  # descriptor of out, BLOCK_M / 2 x BLOCK_N / 2
    M,  # rows of a and out
    N,  # columns of b and out
    K,  # columns of a, rows of b
    STAGES: gl.constexpr,  # how many steps are loaded ahead
    GROUP: gl.constexpr,  # how many rows of tiles make a group
):
    a_slots = gl.allocate_shared_memory(
        a_desc.dtype, [STAGES] + a_desc.block_type.shape, a_desc.layout
    )
    b_slots = gl.allocate_shared_memory(
        b_desc.dtype, [STAGES] + b_desc.block_type.shape, b_desc.layout
    )
    out_slots = gl.allocate_shared_memory(
        out_desc.dtype, [2] + out_desc.block_type.shape, out_desc.layout
    )
    BARRIER: gl.constexpr = mbarrier.MBarrierLayout()
    full = gl.allocate_shared_memory(gl.int64, [STAGES, 1], BARRIER)
    empty = gl.allocate_shared_memory(gl.int64, [STAGES, 1], BARRIER)
    for slot in gl.static_range(STAGES):
        mbarrier.init(full.index(slot), count=1)
        mbarrier.init(empty.index(slot), count=2)  # two who multiply
    fence_async_shared()
    gl.warp_specialize(
        [
            (multiply_tiles, (out_desc, a_slots, b_slots, out_slots,
                              full, empty, M, N, K, 0, GROUP)),
            (multiply_tiles, (out_desc, a_slots, b_slots, out_slots,
                              full, empty, M, N, K, 1, GROUP)),
            (load_tiles, (a_desc, b_desc, a_slots, b_slots,
                          full, empty, M, N, K, GROUP)),
        ],
        worker_num_warps=[4, 1],
        worker_num_regs=[232, 24],
    )
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def matmul_specialized(a, b, tile=(128, 256, 64), stages=4, group=8):
    """a @ b on Hopper, where TMA can read and write all three."""
    check_matrices(a, b)
    (m, k), n = a.shape, b.shape[1]
    out = torch.empty(m, n, dtype=a.dtype, device=a.device)
    if out.numel() == 0:
        return out
    if k == 0:
        return out.zero_()
    for name, x in (("a", a), ("b", b), ("out", out)):
        if not fits_descriptor(x):
            raise ValueError(
                f"no descriptor for {name}: shape {tuple(x.shape)}, "
                f"strides {x.stride()}"
            )
    dtype = gl.float16 if a.dtype == torch.float16 else gl.bfloat16

    def describe(x, block):
        layout = gl.NVMMASharedLayout.get_default_for(block, dtype)
        return hopper.TensorDescriptor.from_tensor(x, block, layout)

    rows, cols, terms = tile
    tiles = triton.cdiv(m, rows) * triton.cdiv(n, cols)
    specialized_kernel[(min(tiles, multiprocessors()),)](
        describe(a, [rows, terms]),
        describe(b, [terms, cols]),
        describe(out, [rows // 2, cols // 2]),
        m, n, k, STAGES=stages, GROUP=group, num_warps=4,
    )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 13.5.4 one warp that loads, eight that multiply ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    for m, n, k in ((256, 512, 256), (1000, 776, 328), (8, 8, 8)):
        a = torch.randn(m, k).bfloat16().to(DEVICE)
        b = torch.randn(k, n).bfloat16().to(DEVICE)
        exact = a.double() @ b.double()
        error = (matmul_specialized(a, b) - exact).abs().max()
        error /= exact.abs().max()
        print(f"{m} x {k} x {n}, error: {error:.1e}")
    # --8<-- [end:demo]
