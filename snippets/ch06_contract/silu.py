"""6.4.1: a wrapper that takes any shape, any strides, four dtypes."""

# /// capture
# differs = "Each machine names the device that it wants."
# ///

import torch
import triton
import triton.language as tl

from ch06_contract.strided_scale import tile_of

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
FLOATS = (torch.float16, torch.bfloat16, torch.float32, torch.float64)


# --8<-- [start:kernel]
@triton.jit
def widen(x):
    """Half precision to float32; the others as they are."""
    if x.dtype == tl.float16 or x.dtype == tl.bfloat16:
        return x.to(tl.float32)
    else:
        return x


@triton.jit
def silu_kernel(
    x_ptr,  # address of x[0, 0], a float of any width
    out_ptr,  # address of out[0, 0], of the same dtype
    rows,  # how many rows both have
    cols,  # how many columns
    x_row,  # strides of x, in elements
    x_col,
    out_row,  # strides of out
    out_col,
    BLOCK_ROWS: tl.constexpr,  # rows of a program's tile
    BLOCK_COLS: tl.constexpr,  # columns of it
):
    pid = tl.program_id(0)
    row, col, mask = tile_of(pid, rows, cols, BLOCK_ROWS, BLOCK_COLS)
    x = tl.load(x_ptr + row * x_row + col * x_col, mask=mask)
    x = widen(x)
    y = x / (1.0 + tl.exp(-x))
    tl.store(out_ptr + row * out_row + col * out_col, y, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:check]
def check_float(name, x):
    """Raise unless a kernel of this chapter can read x."""
    if x.dtype not in FLOATS:
        raise TypeError(f"{name} is {x.dtype}, wanted a float")
    if x.device.type != DEVICE:
        raise ValueError(f"{name} is on {x.device}, wanted {DEVICE}")
    if x.is_neg():
        raise ValueError(f"{name} is a lazy negative: resolve_neg()")
# --8<-- [end:check]


# --8<-- [start:matrix]
def as_matrices(*tensors):
    """All as matrices of one shape. A reshape is a view where the
    strides allow one, and a copy where they do not."""
    first = tensors[0]
    if all(t.is_contiguous() for t in tensors):
        return [t.view(1, -1) for t in tensors]
    return [t.reshape(-1, first.shape[-1]) for t in tensors]


def tile_for(rows):
    return (1, 1024) if rows == 1 else (32, 32)
# --8<-- [end:matrix]


# --8<-- [start:wrapper]
def launch_silu(x, out):
    """silu of the matrix x into the matrix out, by their strides."""
    rows, cols = x.shape
    block = tile_for(rows)
    tiles = triton.cdiv(rows, block[0]) * triton.cdiv(cols, block[1])
    silu_kernel[(tiles,)](
        x, out, rows, cols, *x.stride(), *out.stride(),
        BLOCK_ROWS=block[0], BLOCK_COLS=block[1],
    )  # fmt: skip


def silu(x: torch.Tensor) -> torch.Tensor:
    """x * sigmoid(x), contiguous, for a float x of any shape."""
    check_float("x", x)
    out = torch.empty(x.shape, dtype=x.dtype, device=x.device)
    if x.numel() == 0:
        return out
    launch_silu(*as_matrices(x, out))
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 6.4.1 what a caller may bring ==")
    # --8<-- [start:demo]
    torch.manual_seed(0)
    x = torch.randn(4, 6, 5).to(DEVICE)
    pairs = torch.view_as_complex(x[..., :2].clone())
    inputs = {
        "contiguous": x,
        "transposed": x[0].T,
        "every second column": x[0, :, ::2],
        "expanded": x[0, :1].expand(6, 5),
        "heads swapped": x.transpose(0, 1),
        "one element": x[0, 0, 0],
        "no rows": x[:0],
        "float16": x.half(),
        "float64, transposed": x[0].double().T,
        "int32": x.int(),
        "on meta": x.to("meta"),
        "lazy negative": pairs.conj().imag,
    }
    for name, value in inputs.items():
        try:
            out = silu(value)
        except (TypeError, ValueError) as error:
            print(f"{name}: {type(error).__name__}: {error}")
            continue
        reference = torch.nn.functional.silu(value)
        rtol = 8 * torch.finfo(out.dtype).eps
        right = torch.allclose(out, reference, rtol=rtol, atol=0)
        print(f"{name}: right {right}, strides {out.stride()}")
    theirs = torch.nn.functional.silu(x[0].T)
    print(f"torch's strides for the transposed: {theirs.stride()}")
    # --8<-- [end:demo]
