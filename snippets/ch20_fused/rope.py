"""20.3.1: rotary embedding of queries and keys, in place; the gradient
is the same kernel, turning the other way."""

# /// capture
# [labels]
# "* relative diff" = { kind = "bound", limit = 2e-2 }
# ///

import torch
import triton
import triton.language as tl
from torch.autograd.function import once_differentiable

from ch06_contract.silu import check_float, widen
from ch20_fused.add_rms_norm import check_alike, check_written

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROPE_LANES = 8192  # pairs of a program, about


# --8<-- [start:table]
def rope_table(length, dim, base=10000.0, device=DEVICE):
    """cos and sin of position * base ** (-2 j / dim), in float32;
    the angles in float64, for positions that are large."""
    j = torch.arange(dim // 2, dtype=torch.float64)
    position = torch.arange(length, dtype=torch.float64)
    angle = position[:, None] * base ** (-2 * j / dim)
    table = angle.cos(), angle.sin()
    return [t.float().to(device) for t in table]
# --8<-- [end:table]


# --8<-- [start:kernel]
@triton.jit
def rope_kernel(
    x_ptr,  # address of x[0, 0, 0, 0]: batch, position, head, dim
    out_ptr,  # address of out[0, 0, 0, 0]; may be x's
    cos_ptr,  # address of cos[0, 0]: position, pair; contiguous
    sin_ptr,  # address of sin[0, 0], likewise
    length,  # how many positions a batch has
    heads,  # how many heads
    half,  # how many pairs a head has, half its dim
    x_batch,  # from a batch of x to the next, in elements
    x_place,  # from a position of x to the next
    x_head,  # from a head of x to the next
    out_batch,  # the same three for out
    out_place,  # a position
    out_head,  # a head; along dim both have stride 1
    BACK: tl.constexpr,  # turn by minus the angle
    PLACES: tl.constexpr,  # positions of this program
    HEADS: tl.constexpr,  # heads of this program
    BLOCK: tl.constexpr,  # lanes for the pairs of a head
):
    tiles = tl.cdiv(length, PLACES)
    batch = (tl.program_id(0) // tiles).to(tl.int64)
    place = tl.program_id(0) % tiles * PLACES + tl.arange(0, PLACES)
    place = place.to(tl.int64)[:, None, None]
    head = tl.program_id(1) * HEADS + tl.arange(0, HEADS)
    head = head.to(tl.int64)[None, :, None]
    pair = tl.arange(0, BLOCK)[None, None, :]
    real = (place < length) & (pair < half)
    mask = real & (head < heads)
    cos = tl.load(cos_ptr + place * half + pair, mask=real)
    sin = tl.load(sin_ptr + place * half + pair, mask=real)
    if BACK:
        sin = -sin
    x_ptr += batch * x_batch + place * x_place + head * x_head + pair
    a = widen(tl.load(x_ptr, mask=mask))
    b = widen(tl.load(x_ptr + half, mask=mask))
    out_ptr += batch * out_batch + place * out_place
    out_ptr += head * out_head + pair
    tl.store(out_ptr, a * cos - b * sin, mask=mask)
    tl.store(out_ptr + half, b * cos + a * sin, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def rope_into(out, x, cos, sin, back=False, lanes=ROPE_LANES, warps=16):
    """x turned, into out, which may be x; both (batch, length, heads,
    dim), of any strides along the first three."""
    check_written("out", out)
    for name, y in (("x", x), ("out", out)):
        check_alike(name, y, x)
        if y.dim() != 4:
            raise ValueError(
                f"{name} is {tuple(y.shape)}, wanted batch, length, "
                "heads and dim"
            )
        if y.stride(3) != 1 and y.numel() > 0:
            raise ValueError(f"{name} has strides {y.stride()}")
    batch, length, heads, dim = x.shape
    for name, table in (("cos", cos), ("sin", sin)):
        wanted = length, dim // 2
        if table.shape != wanted or not table.is_contiguous():
            raise ValueError(
                f"{name} is {tuple(table.shape)}, strides "
                f"{table.stride()}, wanted {wanted}, contiguous"
            )
        check_float(name, table)
    if dim % 2:
        raise ValueError(f"dim is {dim}, wanted pairs")
    if x.numel() == 0:
        return out
    block = triton.next_power_of_2(dim // 2)
    tile = min(triton.next_power_of_2(heads), max(lanes // block, 1))
    places = min(max(lanes // (block * tile), 1), 16)
    tiles = batch * triton.cdiv(length, places)
    grid = (tiles, triton.cdiv(heads, tile))
    rope_kernel[grid](
        x, out, cos, sin, length, heads, dim // 2,
        *x.stride()[:3], *out.stride()[:3],
        BACK=back, PLACES=places, HEADS=tile, BLOCK=block,
        num_warps=warps,
    )  # fmt: skip
    return out
# --8<-- [end:wrapper]


# --8<-- [start:function]
class Rope(torch.autograd.Function):
    """x turned in place; its gradient turned back, elsewhere."""

    @staticmethod
    def forward(ctx, x, cos, sin):
        ctx.save_for_backward(cos, sin)
        ctx.mark_dirty(x)
        return rope_into(x, x, cos, sin)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        if grad.stride(3) != 1 or grad.is_neg():
            grad = grad.resolve_neg().contiguous()
        out = torch.empty(
            grad.shape, dtype=grad.dtype, device=grad.device
        )
        cos, sin = ctx.saved_tensors
        return rope_into(out, grad, cos, sin, back=True), None, None
# --8<-- [end:function]


# --8<-- [start:eager]
def rope_eager(x, cos, sin):
    a, b = x.chunk(2, -1)
    cos, sin = cos[:, None], sin[:, None]  # the same for all heads
    turned = torch.cat((a * cos - b * sin, b * cos + a * sin), -1)
    return turned.to(x.dtype)
# --8<-- [end:eager]


if __name__ == "__main__":
    print("== 20.3.1 a quarter turn ==")
    # --8<-- [start:quarter]
    x = torch.tensor([1.0, 2.0, 3.0, 4.0]).to(DEVICE).view(1, 1, 1, 4)
    zero, one = torch.zeros(1, 2), torch.ones(1, 2)
    zero, one = zero.to(DEVICE), one.to(DEVICE)
    y = rope_into(torch.empty_like(x), x, zero, one)
    print("turned:", y.flatten().tolist())
    rope_into(y, y, zero, one, back=True)
    print("and back:", y.flatten().tolist())
    # --8<-- [end:quarter]

    print("== 20.3.1 lengths, strides, gradients ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    leaf = torch.randn(2, 3, 2, 6, dtype=torch.float64).to(DEVICE)
    table = [t.double() for t in rope_table(3, 6)]
    passed = torch.autograd.gradcheck(
        lambda x: Rope.apply(x.clone(), *table),
        leaf.requires_grad_(),
        raise_exception=False,
    )
    print(f"gradcheck in float64: {passed}")
    table = rope_table(9, 20)
    qkv, grad = torch.randn(2, 2, 9, 3, 3, 20)
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        x = qkv.to(DEVICE, dtype)[:, :, :2].flatten(2, 3)
        g = grad.to(DEVICE, dtype).transpose(2, 3)[:, :, :2]
        g = g.flatten(2, 3)
        true = x.double().requires_grad_()
        wanted = rope_eager(true, *(t.double() for t in table))
        back = torch.autograd.grad(wanted, true, g.double())[0]
        x = x.clone().requires_grad_()
        found = Rope.apply(x.clone(), *table)
        found_back = torch.autograd.grad(found, x, g)[0]
        for name, a, b in (
            ("turned", found, wanted), ("gradient", found_back, back)
        ):
            worst = (a - b).abs().max() / b.abs().max()
            print(f"{dtype} {name} relative diff: {worst:.1e}")
    # --8<-- [end:demo]
