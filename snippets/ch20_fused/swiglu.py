"""20.2.1: the gate of a feed-forward layer, forward and backward; the
gradient may take the place of what it is the gradient of."""

# /// capture
# [labels]
# "* relative diff" = { kind = "bound", limit = 2e-2 }
# ///

import torch
import triton
import triton.language as tl
from torch.autograd.function import once_differentiable

from ch06_contract.silu import check_float, widen
from ch15_softmax.rows import as_rows
from ch20_fused.add_rms_norm import check_alike, check_written

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
SWIGLU_WIDE = 2048  # elements of a program, at most


# --8<-- [start:forward]
@triton.jit
def swiglu_kernel(
    gate_ptr,  # address of gate[0, 0]
    up_ptr,  # address of up[0, 0], of gate's dtype
    out_ptr,  # address of out[0, 0], rows one after the other
    cols,  # how many columns all three have
    gate_row,  # from a row of gate to the next, in elements
    up_row,  # the same for up
    BLOCK: tl.constexpr,  # elements of this program
):
    tiles = tl.cdiv(cols, BLOCK)
    row = (tl.program_id(0) // tiles).to(tl.int64)
    col = tl.program_id(0) % tiles * BLOCK + tl.arange(0, BLOCK)
    mask = col < cols
    place = gate_ptr + row * gate_row + col
    gate = widen(tl.load(place, mask=mask, other=0.0))
    up = widen(tl.load(up_ptr + row * up_row + col, mask=mask))
    out = gate / (1.0 + tl.exp(-gate)) * up
    tl.store(out_ptr + row * cols + col, out, mask=mask)
# --8<-- [end:forward]


# --8<-- [start:backward]
@triton.jit
def swiglu_backward_kernel(
    grad_ptr,  # address of the gradient of out
    gate_ptr,  # address of gate[0, 0]
    up_ptr,  # address of up[0, 0]
    dgate_ptr,  # address of the gradient of gate; may be gate's
    dup_ptr,  # address of the gradient of up; may be up's
    cols,  # how many columns all five have
    grad_row,  # from a row of grad to the next, 0 if expanded
    gate_row,  # the same for gate
    up_row,  # the same for up
    dgate_row,  # the same for dgate
    dup_row,  # the same for dup
    BLOCK: tl.constexpr,  # elements of this program
):
    tiles = tl.cdiv(cols, BLOCK)
    row = (tl.program_id(0) // tiles).to(tl.int64)
    col = tl.program_id(0) % tiles * BLOCK + tl.arange(0, BLOCK)
    mask = col < cols
    place = gate_ptr + row * gate_row + col
    gate = widen(tl.load(place, mask=mask, other=0.0))
    up = widen(tl.load(up_ptr + row * up_row + col, mask=mask))
    grad = widen(tl.load(grad_ptr + row * grad_row + col, mask=mask))
    sigmoid = 1.0 / (1.0 + tl.exp(-gate))
    silu = gate * sigmoid
    dgate = grad * up * (sigmoid + silu * (1.0 - sigmoid))
    tl.store(dgate_ptr + row * dgate_row + col, dgate, mask=mask)
    tl.store(dup_ptr + row * dup_row + col, grad * silu, mask=mask)
# --8<-- [end:backward]


# --8<-- [start:wrapper]
def swiglu_tile(cols):
    block = min(triton.next_power_of_2(cols), SWIGLU_WIDE)
    return {"BLOCK": block, "num_warps": 4 if block > 512 else 1}


def swiglu(gate, up, **tile):
    """silu(gate) * up, contiguous; gate and up of any strides."""
    check_float("gate", gate)
    check_alike("up", up, gate)
    out = torch.empty(gate.shape, dtype=gate.dtype, device=gate.device)
    if out.numel() == 0:
        return out
    gate, up = as_rows("gate", gate), as_rows("up", up)
    rows, cols = gate.shape
    tile = swiglu_tile(cols) | tile
    grid = (rows * triton.cdiv(cols, tile["BLOCK"]),)
    swiglu_kernel[grid](
        gate, up, out, cols, gate.stride(0), up.stride(0), **tile
    )
    return out


def swiglu_backward(grad, gate, up, dgate, dup, **tile):
    """The gradients, into dgate and dup. These may be gate and up."""
    for name, x in (("grad", grad), ("up", up), ("gate", gate)):
        check_alike(name, x, gate)
    if gate.numel() == 0:
        return
    for name, x in (("dgate", dgate), ("dup", dup)):
        check_alike(name, x, gate)
        check_written(name, x)
        if as_rows(name, x).data_ptr() != x.data_ptr():
            raise ValueError(f"{name} has strides {x.stride()}")
    grad, gate, up, dgate, dup = (
        as_rows("it", x) for x in (grad, gate, up, dgate, dup)
    )
    rows, cols = gate.shape
    tile = swiglu_tile(cols) | tile
    grid = (rows * triton.cdiv(cols, tile["BLOCK"]),)
    swiglu_backward_kernel[grid](
        grad, gate, up, dgate, dup, cols, grad.stride(0),
        gate.stride(0), up.stride(0), dgate.stride(0), dup.stride(0),
        **tile,
    )  # fmt: skip
# --8<-- [end:wrapper]


# --8<-- [start:function]
class SwiGLU(torch.autograd.Function):
    """silu(gate) * up, where gate and up are the halves of pair.
    With overwrite, the gradient of pair takes its place."""

    @staticmethod
    def forward(ctx, pair, overwrite=False):
        gate, up = pair.chunk(2, -1)
        ctx.save_for_backward(pair)
        ctx.overwrite = overwrite
        return swiglu(gate, up)

    @staticmethod
    @once_differentiable
    def backward(ctx, grad):
        (pair,) = ctx.saved_tensors  # an error if it has changed
        target = pair
        if ctx.overwrite:
            torch.autograd.graph.increment_version(pair)
        else:
            target = torch.empty(
                pair.shape, dtype=pair.dtype, device=pair.device
            )
        swiglu_backward(
            grad.resolve_neg(), *pair.chunk(2, -1), *target.chunk(2, -1)
        )
        return target, None
# --8<-- [end:function]


# --8<-- [start:eager]
def swiglu_eager(pair):
    gate, up = pair.chunk(2, -1)
    return torch.nn.functional.silu(gate) * up
# --8<-- [end:eager]


if __name__ == "__main__":
    print("== 20.2.1 gradients, in place or not ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    pair = torch.randn(5, 14, dtype=torch.float64).to(DEVICE)
    passed = torch.autograd.gradcheck(
        SwiGLU.apply, pair.requires_grad_(), raise_exception=False
    )
    print(f"gradcheck in float64: {passed}")

    pair, grad = torch.randn(37, 200), torch.randn(37, 100)
    for dtype in (torch.float32, torch.float16, torch.bfloat16):
        leaf = pair.to(DEVICE, dtype).requires_grad_()
        true = leaf.detach().double().requires_grad_()
        up = grad.to(DEVICE, dtype)
        wanted = [swiglu_eager(true)]
        wanted += torch.autograd.grad(wanted, true, up.double())
        for overwrite in (False, True):
            pair_of_two = leaf.clone()  # what a matmul would return
            found = [SwiGLU.apply(pair_of_two, overwrite)]
            found += torch.autograd.grad(found, leaf, up)
            for name, a, b in zip(("out", "dpair"), found, wanted):
                worst = (a - b).abs().max() / b.abs().max()
                how = f"{dtype}, overwrite {overwrite}"
                print(f"{how}, {name} relative diff: {worst:.1e}")
    # --8<-- [end:demo]

    print("== 20.2.1 a second backward ==")
    # --8<-- [start:second]
    for overwrite in (False, True):
        leaf = pair.to(DEVICE).requires_grad_()
        out = SwiGLU.apply(leaf.clone(), overwrite).sum()
        try:
            first, second = (
                torch.autograd.grad(out, leaf, retain_graph=True)[0]
                for _ in range(2)
            )
            print(f"overwrite {overwrite}: same gradient twice:",
                  torch.equal(first, second))
        except RuntimeError as error:
            text = str(error).split(":")[0]
            print(f"overwrite {overwrite}: RuntimeError: {text}")
    # --8<-- [end:second]
