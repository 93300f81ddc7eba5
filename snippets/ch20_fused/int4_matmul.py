"""20.5.1: a product with weights of four bits: few rows read them
packed; many rows get them unpacked once, a piece at a time."""

# /// capture
# differs = "The interpreter multiplies no bfloat16."
# [labels]
# "* relative diff" = { kind = "bound", limit = 2e-2 }
# ///

import torch
import triton
import triton.language as tl
from torch.autograd.function import once_differentiable

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
FEW = 128  # rows of x up to which the weights stay packed
PIECE = 2**26  # weights that are unpacked at a time


# --8<-- [start:pack]
def groups_of(weight, group):
    """weight (n, k) as (groups, n, group) of float32."""
    n, k = weight.shape
    groups = triton.cdiv(k, group)
    wide = weight.new_zeros(n, groups * group, dtype=torch.float32)
    wide[:, :k] = weight
    return wide.view(n, groups, group).transpose(0, 1)


def pack(q):
    """Numbers from 0 to 15, (groups, n, group), eight to an int32."""
    groups, n, group = q.shape
    q = q.to(torch.int32).view(groups, n, 4, group // 8, 2)
    packed = q.new_zeros(groups, n, group // 8)
    for i in range(4):  # neighbours go to the halves of a word
        packed |= q[:, :, i, :, 0] << (4 * i)
        packed |= q[:, :, i, :, 1] << (4 * i + 16)
    return packed


def quantize(weight, group=128):
    """weight (n, k) as integers from -8 to 7 and a scale for each
    group of neighbours in a row: packed (groups, n, group // 8) of
    int32, scales (groups, n) of weight's dtype."""
    if weight.dtype not in (torch.float16, torch.bfloat16):
        raise TypeError(
            f"weight is {weight.dtype}, wanted float16 or bfloat16"
        )
    if weight.dim() != 2 or group not in (64, 128, 256):
        raise ValueError(
            f"weight is {tuple(weight.shape)}, group {group}; wanted "
            "a matrix, and 64, 128 or 256"
        )
    wide = groups_of(weight, group)
    scales = (wide.abs().amax(2) / 7).to(weight.dtype)
    scales = torch.where(scales == 0, 1, scales).contiguous()
    q = (wide / scales.float()[:, :, None]).round().clamp(-8, 7)
    return pack(q + 8), scales


def dequantize(packed, scales, k):
    """The weights again, (n, k), with PyTorch's operations."""
    groups, n, words = packed.shape
    q = [
        torch.stack([packed >> s & 15, packed >> (s + 16) & 15], 3)
        for s in (0, 4, 8, 12)
    ]
    q = torch.stack(q, 2).view(groups, n, 8 * words) - 8
    wide = q.to(scales.dtype) * scales[:, :, None]
    return wide.transpose(0, 1).reshape(n, -1)[:, :k]
# --8<-- [end:pack]


# --8<-- [start:quarter]
@triton.jit
def quarter(
    word,  # ROWS x WORDS of eight numbers each
    i,  # which quarter of the group: 0, 1, 2 or 3
    ROWS: tl.constexpr,  # rows of word
    WORDS: tl.constexpr,  # columns of word
):
    """ROWS x (2 * WORDS) numbers from 0 to 15, int16."""
    two = (word >> (4 * i)) & 0x000F000F  # one in each half
    two = tl.join(two.to(tl.int16), (two >> 16).to(tl.int16))
    return tl.reshape(two, (ROWS, 2 * WORDS))
# --8<-- [end:quarter]


# --8<-- [start:kernel]
@triton.jit
def int4_kernel(
    x_ptr,  # address of x, M x K, float16 or bfloat16
    packed_ptr,  # address of packed[0, 0, 0], contiguous
    scale_ptr,  # address of scales[0, 0], contiguous
    out_ptr,  # address of out, M x N; SPLIT of them if more than 1
    M,  # rows of x and out
    N,  # rows of the weight, columns of out
    K,  # columns of x and of the weight
    x_row,  # from a row of x to the next, in elements
    BLOCK_M: tl.constexpr,  # rows of x of a program
    BLOCK_N: tl.constexpr,  # rows of the weight of a program
    GROUP: tl.constexpr,  # neighbours that share a scale
    SPLIT: tl.constexpr,  # programs that share the groups of a tile
    EVEN: tl.constexpr,  # whether the last group is whole
):
    words: tl.constexpr = GROUP // 8
    dtype: tl.constexpr = x_ptr.dtype.element_ty
    # q as bits of a half float is q times the least subnormal. This
    # times grow is q / unit, a normal number again.
    half: tl.constexpr = dtype == tl.float16
    grow: tl.constexpr = 2.0**15 if half else 2.0**127
    unit: tl.constexpr = 2.0**9 if half else 2.0**6
    n = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    m = tl.program_id(1) * BLOCK_M + tl.arange(0, BLOCK_M)
    split = tl.program_id(2)
    place = n[:, None] * words + tl.arange(0, words)[None, :]
    k = tl.arange(0, 2 * words)
    x_ptrs = x_ptr + m.to(tl.int64)[None, :] * x_row + k[:, None]
    groups = tl.cdiv(K, GROUP)
    acc = tl.zeros((BLOCK_N, BLOCK_M), tl.float32)
    far = split.to(tl.int64) * N  # rows of the groups before
    there = (n < N) & (split < groups)
    scale = tl.load(scale_ptr + far + n, mask=there, other=0.0)
    for g in range(split, groups, SPLIT):
        word = tl.load(
            packed_ptr + far * words + place, mask=n[:, None] < N
        )
        far += SPLIT * N
        there = (n < N) & (g + SPLIT < groups)
        later = tl.load(scale_ptr + far + n, mask=there, other=0.0)
        part = tl.zeros((BLOCK_N, BLOCK_M), tl.float32)
        for i in tl.static_range(4):
            first = g * GROUP + i * 2 * words
            mask = m[None, :] < M
            if not EVEN:
                mask = mask & (k[:, None] < K - first)
            x = tl.load(x_ptrs + first, mask=mask, other=0.0)
            bits = quarter(word, i, BLOCK_N, words)
            w = bits.to(dtype, bitcast=True) * grow - 8 / unit
            part = tl.dot(w, x, part)  # exact numbers, no scale yet
        acc += part * (scale.to(tl.float32) * unit)[:, None]
        scale = later
    out_ptr += split.to(tl.int64) * M * N
    place = m.to(tl.int64)[None, :] * N + n[:, None]
    tl.store(
        out_ptr + place, acc.to(out_ptr.dtype.element_ty),
        mask=(m[None, :] < M) & (n[:, None] < N),
    )  # fmt: skip
# --8<-- [end:kernel]


# --8<-- [start:parts]
@triton.jit
def add_parts_kernel(
    part_ptr,  # address of part[0, 0], SPLIT of n numbers, float32
    out_ptr,  # address of their sum, in any dtype
    n,  # how many numbers a part has
    SPLIT: tl.constexpr,  # how many parts, added up in their order
    BLOCK: tl.constexpr,  # numbers of this program
):
    place = tl.program_id(0).to(tl.int64) * BLOCK
    place += tl.arange(0, BLOCK)
    total = tl.load(part_ptr + place, mask=place < n)
    for _ in tl.static_range(SPLIT - 1):
        part_ptr += n
        total += tl.load(part_ptr + place, mask=place < n)
    tl.store(out_ptr + place, total, mask=place < n)
# --8<-- [end:parts]


# --8<-- [start:unpack]
@triton.jit
def unpack_kernel(
    packed_ptr,  # address of the piece's packed[0, 0, 0]
    scale_ptr,  # address of its scales[0, 0]
    out_ptr,  # address of its weights, rows of whole groups
    N,  # how many rows
    packed_group,  # from a group of packed to the next
    scale_group,  # the same for scales
    out_row,  # from a row of out to the next
    BLOCK_N: tl.constexpr,  # rows of a program
    GROUP: tl.constexpr,  # neighbours that share a scale
):
    words: tl.constexpr = GROUP // 8
    dtype: tl.constexpr = out_ptr.dtype.element_ty
    g = tl.program_id(0).to(tl.int64)
    n = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    place = n[:, None] * words + tl.arange(0, words)[None, :]
    word = tl.load(
        packed_ptr + g * packed_group + place, mask=n[:, None] < N
    )
    scale = tl.load(scale_ptr + g * scale_group + n, mask=n < N)
    scale = scale.to(tl.float32)[:, None]
    place = out_ptr + n.to(tl.int64)[:, None] * out_row
    place += g * GROUP + tl.arange(0, 2 * words)[None, :]
    for i in tl.static_range(4):
        q = quarter(word, i, BLOCK_N, words).to(tl.float32)
        w = ((q - 8) * scale).to(dtype)
        tl.store(place + i * 2 * words, w, mask=n[:, None] < N)


def unpack(packed, scales, out):
    """The weights of a piece into out, which has whole groups."""
    groups, n, words = packed.shape
    if packed.numel() > 0:
        unpack_kernel[(groups, triton.cdiv(n, 64))](
            packed, scales, out, n, packed.stride(0), scales.stride(0),
            out.stride(0), BLOCK_N=64, GROUP=8 * words,
        )  # fmt: skip
    return out
# --8<-- [end:unpack]


# --8<-- [start:wrapper]
def whole_groups(packed, k):
    """Whether k columns end inside the last group of packed."""
    groups, _, words = packed.shape
    return triton.cdiv(k, 8 * words) == groups


def check_int4(x, packed, scales, columns, k):
    """x has so many columns, the weight k of them."""
    for name, ok in (
        ("shape", packed.dim() == 3 and x.dim() > 0),
        ("shape", packed.shape[:-1] == scales.shape),
        ("shape", x.shape[-1:] == (columns,)),
        ("shape", packed.dim() == 3 and whole_groups(packed, k)),
        ("strides", packed.is_contiguous()),
        ("strides", scales.is_contiguous()),
        ("dtype", x.dtype in (torch.float16, torch.bfloat16)),
        ("dtype", scales.dtype == x.dtype),
        ("dtype", packed.dtype == torch.int32),
        ("device", x.device == packed.device == scales.device),
    ):
        if not ok:
            kind = TypeError if name == "dtype" else ValueError
            tensors = (("x", x), ("packed", packed), ("scales", scales))
            raise kind(f"{name}: " + "; ".join(
                f"{name} {t.dtype} {tuple(t.shape)}, strides "
                f"{t.stride()}, on {t.device}" for name, t in tensors
            ) + f"; wanted {columns} columns of x, a weight of {k}")


def settings_for(m, groups):
    """Rows of x and of the weight a program, splits, warps, stages;
    as measured on an H200."""
    if m <= 8:
        return 8, 128, min(4, groups), 4, 2
    if m <= 16:
        return 16, 128, min(8, groups), 4, 3
    if m <= 32:
        return 32, 128, min(2, groups), 4, 3
    return 64, 128, 1, 8, 3


def few_rows(x, packed, scales, settings=None):
    """x @ weight.T with the weights read as they are packed."""
    (m, k), (groups, n, words) = x.shape, packed.shape
    block_m, block_n, split, warps, stages = (
        settings or settings_for(m, groups)
    )
    x = x if x.stride(1) == 1 else x.contiguous()
    out = torch.empty(m, n, dtype=x.dtype, device=x.device)
    parts = out
    if split > 1:
        parts = torch.empty(split, m, n, device=x.device)
    grid = (triton.cdiv(n, block_n), triton.cdiv(m, block_m), split)
    int4_kernel[grid](
        x, packed, scales, parts, m, n, k, x.stride(0),
        BLOCK_M=block_m, BLOCK_N=block_n, GROUP=8 * words,
        SPLIT=split, EVEN=k % (8 * words) == 0,
        num_warps=warps, num_stages=stages,
    )  # fmt: skip
    if split > 1:
        add_parts_kernel[(triton.cdiv(m * n, 256),)](
            parts, out, m * n, SPLIT=split, BLOCK=256
        )
    return out


def many_rows(x, packed, scales, piece=PIECE):
    """x @ weight.T, some rows of the weight at a time."""
    (m, k), (groups, n, words) = x.shape, packed.shape
    wide = 8 * words * groups
    step = min(max(piece // wide // 256, 1) * 256, n)
    buffer = x.new_empty(step, wide)
    out = x.new_empty(m, n)
    for start in range(0, n, step):
        part = slice(start, start + step)
        some = buffer[: min(step, n - start)]
        unpack(packed[:, part], scales[:, part], some)
        torch.mm(x, some[:, :k].T, out=out[:, part])
    return out


def int4_matmul(x, packed, scales):
    """x (..., k) times the transposed weight: (..., n)."""
    k = x.shape[-1]
    check_int4(x, packed, scales, k, k)
    n = packed.shape[1]
    rows = x.reshape(x.shape[:-1].numel(), k)
    if len(rows) * n * k == 0:
        out = x.new_zeros(len(rows), n)
    elif len(rows) <= FEW:
        out = few_rows(rows, packed, scales)
    else:
        out = many_rows(rows, packed, scales)
    return out.view(*x.shape[:-1], n)


def int4_backward(grad, packed, scales, k, piece=PIECE):
    """The gradient of x: grad (..., n) times the weight (n, k),
    some groups of its columns at a time."""
    groups, n, words = packed.shape
    check_int4(grad, packed, scales, n, k)
    rows = grad.reshape(grad.shape[:-1].numel(), n)
    dx = grad.new_empty(len(rows), k)
    if k == 0:
        return dx.view(*grad.shape[:-1], k)
    step = min(max(piece // max(n, 1) // (8 * words), 1), groups)
    buffer = grad.new_empty(n, step * 8 * words)
    for start in range(0, groups, step):
        part = slice(start, min(start + step, groups))
        first = start * 8 * words
        last = min(part.stop * 8 * words, k)
        unpack(packed[part], scales[part], buffer)
        some = buffer[:, : last - first]
        torch.mm(rows, some, out=dx[:, first:last])
    return dx.view(*grad.shape[:-1], k)
# --8<-- [end:wrapper]


# --8<-- [start:function]
class Int4Linear(torch.autograd.Function):
    """The weights are frozen: only x gets a gradient, and for that
    neither x nor a weight of more than four bits is kept."""

    @staticmethod
    def forward(ctx, x, packed, scales):
        ctx.save_for_backward(packed, scales)
        ctx.k = x.shape[-1]
        return int4_matmul(x, packed, scales)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        dx = int4_backward(grad, *ctx.saved_tensors, ctx.k)
        return dx, None, None
# --8<-- [end:function]


if __name__ == "__main__":
    print("== 20.5.1 packed, and multiplied ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    n, k = 70, 200
    dtypes = [torch.float16]
    if DEVICE == "cuda":  # the interpreter cannot multiply the other
        dtypes.append(torch.bfloat16)
    for dtype in dtypes:
        kind = str(dtype).removeprefix("torch.")
        weight = torch.randn(n, k).to(DEVICE, dtype)
        packed, scales = quantize(weight)
        print(f"packed: {packed.dtype} {tuple(packed.shape)}")
        print(f"scales: {scales.dtype} {tuple(scales.shape)}")
        exact = dequantize(packed, scales.double(), k)
        steps = scales.double().repeat_interleave(128, 0)[:k]
        worst = ((weight - exact).abs().T / steps).max().item()
        print(f"{kind}, largest rounding, in scales: {worst:.2f}")
        for rows in (1, 16, 129):
            x = torch.randn(rows, k).to(DEVICE, dtype)
            grad = torch.randn(rows, n).to(DEVICE, dtype)
            out = Int4Linear.apply(x.requires_grad_(), packed, scales)
            (dx,) = torch.autograd.grad(out, x, grad)
            for name, a, b in (
                ("product", out, x.double() @ exact.T),
                ("gradient", dx, grad.double() @ exact),
            ):
                worst = (a - b).abs().max() / b.abs().max()
                name = f"{kind}, {rows} rows, {name}"
                print(f"{name} relative diff: {worst:.1e}")
    # --8<-- [end:demo]
