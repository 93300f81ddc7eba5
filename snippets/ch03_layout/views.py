"""3.1.1: one storage, many tensors, and what a kernel finds behind
the pointer of each."""

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 1024


# --8<-- [start:kernel]
@triton.jit
def copy_kernel(
    x_ptr,  # address of the first element to read
    out_ptr,  # address of the output, of the same dtype
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:behind]
def behind(x: torch.Tensor) -> torch.Tensor:
    """What lies in memory from x's address to its storage's end."""
    if x.device.type != DEVICE:
        raise ValueError(f"x is on {x.device}, wanted {DEVICE}")
    held = x.untyped_storage().nbytes() // x.element_size()
    n = held - x.storage_offset()
    out = torch.empty(n, dtype=x.dtype, device=x.device)
    if n == 0:
        return out
    grid = (triton.cdiv(n, BLOCK),)
    copy_kernel[grid](x, out, n, BLOCK=BLOCK)
    return out
# --8<-- [end:behind]


# --8<-- [start:show]
def show(name, view, x):
    owner = view.untyped_storage().data_ptr()
    same = owner == x.untyped_storage().data_ptr()
    print(f"{name} strides: {view.stride()}")
    print(f"{name} begins at element: {view.storage_offset()}")
    print(f"{name} shares x's bytes: {same}")
    print(f"{name} reads as: {view.tolist()}")
    print(f"{name} lies in memory as: {behind(view).tolist()}")
# --8<-- [end:show]


if __name__ == "__main__":
    print("== 3.1.1 one storage, many tensors ==")
    # --8<-- [start:demo]
    x = torch.arange(6, device=DEVICE).reshape(2, 3)
    show("x", x, x)
    show("x.T", x.T, x)
    show("column 1", x[:, 1], x)
    show("row 0, twice", x[:1].expand(2, 3), x)
    show("x.T copied", x.T.contiguous(), x)

    one = torch.tensor([1.0, -2.0], device=DEVICE)
    raw = [f"{byte:02x}" for byte in one.view(torch.uint8).tolist()]
    print(f"bytes of 1.0 and -2.0: {' '.join(raw)}")
    # --8<-- [end:demo]
