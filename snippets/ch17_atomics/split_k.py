"""17.5.1: a @ b with K split among programs, and three ways to bring
the parts together."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DTYPES = (torch.float16, torch.bfloat16, torch.float32)
MOST_PROGRAMS = 65535  # CUDA's limit along axes 1 and 2 of a grid


# --8<-- [start:add]
@triton.jit
def add_parts(
    parts_ptr,  # address of this tile in part 0, a block of pointers
    inside,  # which elements of the tile there are
    first,  # number of the first part
    count,  # how many parts
    every,  # from the number of one part to that of the next
    size,  # elements of a part of the whole output
):
    """The sum of some parts of one tile, always in the same order."""
    acc = tl.zeros(inside.shape, dtype=tl.float32)
    for i in range(0, count):
        skip = (first + i * every).to(tl.int64) * size
        acc += tl.load(parts_ptr + skip, mask=inside, other=0.0)
    return acc
# --8<-- [end:add]


# --8<-- [start:kernel]
@triton.jit
def split_kernel(
    a_ptr,  # address of a[0, 0], M x K
    b_ptr,  # address of b[0, 0], K x N, of a's dtype
    out_ptr,  # address of a @ b, M x N, row by row
    parts_ptr,  # float32: a part for each split, or one for all
    arrived_ptr,  # int32, 0: counters of each tile, for WAY "last"
    M,  # rows of a and out
    N,  # columns of b and out
    K,  # columns of a, rows of b
    part,  # columns of a for one split, a multiple of BLOCK_K
    a_row,  # elements from a row of a to the next
    a_col,  # elements from a column of a to the next
    b_row,  # elements from a row of b to the next
    b_col,  # elements from a column of b to the next
    BLOCK_M: tl.constexpr,  # rows of a tile of out
    BLOCK_N: tl.constexpr,  # columns of a tile of out
    BLOCK_K: tl.constexpr,  # columns of a that a step takes
    WAY: tl.constexpr,  # "atomic", "parts" or "last"
    GROUP: tl.constexpr,  # WAY "last": splits that one program adds
):
    split = tl.program_id(2)
    splits = tl.num_programs(2)
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    cols = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    k_cols = tl.arange(0, BLOCK_K)[None, :]
    k_rows = tl.arange(0, BLOCK_K)[:, None]
    begin = split.to(tl.int64) * part
    terms = tl.minimum(part, K - split * part)
    a_ptr += begin * a_col
    b_ptr += begin * b_row
    acc = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for k in range(0, terms, BLOCK_K):
        a = tl.load(
            a_ptr + rows * a_row + (k + k_cols) * a_col,
            mask=(rows < M) & (k + k_cols < terms),
            other=0.0,
        )
        b = tl.load(
            b_ptr + (k + k_rows) * b_row + cols * b_col,
            mask=(k + k_rows < terms) & (cols < N),
            other=0.0,
        )
        acc = tl.dot(a, b, acc=acc, input_precision="ieee")
    place = rows * N + cols
    inside = (rows < M) & (cols < N)
    # --8<-- [start:ways]
    if WAY == "atomic":  # one sum, and everybody adds to it
        tl.atomic_add(
            parts_ptr + place, acc, mask=inside, sem="relaxed"
        )
    else:  # a part for each split
        mine = parts_ptr + split.to(tl.int64) * M * N
        tl.store(mine + place, acc, mask=inside)
    if WAY == "last":  # the last of a group adds its parts up,
        size = M * N  # the last of the groups what they left
        groups = tl.cdiv(splits, GROUP)
        tile = tl.program_id(0) * tl.num_programs(1)
        tile += tl.program_id(1)
        arrived_ptr += tile * (groups + 1)
        group = split // GROUP
        first = group * GROUP
        members = tl.minimum(GROUP, splits - first)
        tl.debug_barrier()  # all warps have stored
        before = tl.atomic_add(arrived_ptr + group, 1, sem="acq_rel")
        if before == members - 1:
            acc = add_parts(
                parts_ptr + place, inside, first, members, 1, size
            )
            mine = parts_ptr + first.to(tl.int64) * size
            tl.store(mine + place, acc, mask=inside)
            tl.debug_barrier()
            before = tl.atomic_add(
                arrived_ptr + groups, 1, sem="acq_rel"
            )
            if before == groups - 1:
                acc = add_parts(
                    parts_ptr + place, inside, group * 0, groups,
                    GROUP, size,
                )  # fmt: skip
                tl.store(
                    out_ptr + place,
                    acc.to(out_ptr.dtype.element_ty),
                    mask=inside,
                )
    # --8<-- [end:ways]
# --8<-- [end:kernel]


# --8<-- [start:second]
@triton.jit
def sum_parts_kernel(
    parts_ptr,  # float32, splits x n
    out_ptr,  # address of out[0]
    n,  # elements of out
    splits,  # how many parts
    BLOCK: tl.constexpr,  # elements of this program
    AT_ONCE: tl.constexpr,  # parts that are loaded at a time
):
    lane = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    acc = tl.zeros((AT_ONCE, BLOCK), dtype=tl.float32)
    for first in range(0, splits, AT_ONCE):
        part = first + tl.arange(0, AT_ONCE)
        place = part.to(tl.int64)[:, None] * n + lane[None, :]
        inside = (part < splits)[:, None] & (lane < n)[None, :]
        acc += tl.load(parts_ptr + place, mask=inside, other=0.0)
    total = tl.sum(acc, axis=0).to(out_ptr.dtype.element_ty)
    tl.store(out_ptr + lane, total, mask=lane < n)
# --8<-- [end:second]


# --8<-- [start:wrapper]
def check_factors(a: torch.Tensor, b: torch.Tensor) -> None:
    if a.dim() != 2 or b.dim() != 2 or a.shape[1] != b.shape[0]:
        shapes = f"{tuple(a.shape)} by {tuple(b.shape)}"
        raise ValueError(f"cannot multiply {shapes}")
    if a.dtype != b.dtype or a.dtype not in DTYPES:
        raise TypeError(
            f"need one dtype of {DTYPES}, got {a.dtype}, {b.dtype}"
        )
    if a.device.type != DEVICE or b.device.type != DEVICE:
        raise ValueError(
            f"need device {DEVICE}, got {a.device}, {b.device}"
        )
    for x in (a, b):
        reach = sum(
            (size - 1) * abs(stride)
            for size, stride in zip(x.shape, x.stride())
        )
        if max(reach, a.shape[0] * b.shape[1]) > 2**30:
            raise ValueError(f"offsets above {2**30}: {x.shape}")


def split_matmul(
    a, b, tile=(128, 128, 64), splits=132, way="parts", group=8,
    second=(32, 128), **options,
):  # fmt: skip
    """a @ b, with any strides; K is split into at most `splits`."""
    check_factors(a, b)
    if way not in ("atomic", "parts", "last"):
        raise ValueError(f"no such way: {way}")
    if splits < 1 or group < 1:
        raise ValueError(f"{splits} splits in groups of {group}")
    (m, k), n = a.shape, b.shape[1]
    out = a.new_empty(m, n)
    if m == 0 or n == 0 or k == 0:
        return out.zero_()
    steps = triton.cdiv(k, tile[2])
    part = triton.cdiv(steps, splits) * tile[2]
    splits = triton.cdiv(k, part)  # none of them is empty
    tiles = (triton.cdiv(m, tile[0]), triton.cdiv(n, tile[1]))
    if max(tiles[1], splits) > MOST_PROGRAMS:
        raise ValueError(
            f"a grid of {(*tiles, splits)} has more than "
            f"{MOST_PROGRAMS} programs along axis 1 or 2"
        )
    f32 = {"dtype": torch.float32, "device": a.device}
    if way == "atomic":
        parts = torch.zeros(1, m, n, **f32)
    else:
        parts = torch.empty(splits, m, n, **f32)
    arrived = None
    if way == "last":
        groups = triton.cdiv(splits, group)
        arrived = torch.zeros(
            *tiles, groups + 1, dtype=torch.int32, device=a.device
        )
    split_kernel[(*tiles, splits)](
        a, b, out, parts, arrived, m, n, k, part, *a.stride(),
        *b.stride(), BLOCK_M=tile[0], BLOCK_N=tile[1],
        BLOCK_K=tile[2], WAY=way, GROUP=group, **options,
    )  # fmt: skip
    if way == "atomic":
        return parts[0].to(a.dtype)
    if way == "parts":
        block, at_once = second
        sum_parts_kernel[(triton.cdiv(m * n, block),)](
            parts, out, m * n, splits, BLOCK=block, AT_ONCE=at_once
        )
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 17.5.1 three ways to add up the parts ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    a = torch.randn(20, 300, device=DEVICE)
    b = torch.randn(300, 24, device=DEVICE)
    exact = a.double() @ b.double()
    for way in ("atomic", "parts", "last"):
        out = split_matmul(a, b, (16, 16, 16), 7, way, group=3)
        error = (out - exact).abs().max() / exact.abs().max()
        print(f"{way}, error below 1e-6: {error.item() < 1e-6}")
    # --8<-- [end:demo]
