"""12.1.1: relu(a * x + b) in one kernel, with the wrapper that owns
its contract."""

# /// capture
# ptx = ["fma_relu_kernel(BLOCK=1024)"]
# ///
import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024


# --8<-- [start:kernel]
@triton.jit
def fma_relu_kernel(
    x_ptr,  # address of x[0], float32
    out_ptr,  # address of out[0], float32, as long as x
    a,  # the factor, a float
    b,  # the summand, a float
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    y = a * x + b
    y = tl.maximum(y, 0.0, propagate_nan=tl.PropagateNan.ALL)
    tl.store(out_ptr + offsets, y, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:check]
def check_input(x: torch.Tensor, dtypes=(torch.float32,)) -> None:
    if x.dtype not in dtypes:
        wanted = " or ".join(str(dtype) for dtype in dtypes)
        raise TypeError(f"x is {x.dtype}, wanted {wanted}")
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    if not x.is_contiguous():
        raise ValueError(
            f"x must be contiguous: shape {tuple(x.shape)}, "
            f"strides {x.stride()}"
        )
# --8<-- [end:check]


# --8<-- [start:wrapper]
def fused_fma_relu(
    x: torch.Tensor, a: float, b: float, block: int = BLOCK
) -> torch.Tensor:
    check_input(x)
    out = torch.empty_like(x)
    n = x.numel()
    if n == 0:
        return out
    grid = (triton.cdiv(n, block),)
    fma_relu_kernel[grid](x, out, float(a), float(b), n, BLOCK=block)
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 12.1.1 one kernel, one wrapper ==")
    # --8<-- [start:demo]
    x = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0], device=DEVICE)
    out = fused_fma_relu(x, 2.0, -1.0)
    reference = torch.relu(2.0 * x - 1.0)
    print(f"fused kernel: {out.tolist()}")
    print(f"three torch operators: {reference.tolist()}")
    print(f"torch.equal: {torch.equal(out, reference)}")

    pairs = fused_fma_relu(x, 2.0, -1.0, block=2)
    print(f"programs with block=2: {triton.cdiv(x.numel(), 2)}")
    print(f"same result: {torch.equal(pairs, out)}")

    grid = torch.arange(6.0, device=DEVICE).reshape(2, 3)
    empty = torch.empty(0, device=DEVICE)
    print(f"two rows: {fused_fma_relu(grid, 2.0, -1.0).tolist()}")
    print(f"no elements: {fused_fma_relu(empty, 2.0, -1.0).tolist()}")
    for wrong in (grid.T, grid.double()):
        try:
            fused_fma_relu(wrong, 2.0, -1.0)
        except (TypeError, ValueError) as error:
            print(f"{type(error).__name__}: {error}")
    # --8<-- [end:demo]
