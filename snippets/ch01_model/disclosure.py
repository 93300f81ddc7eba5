"""What the interpreter does not tell: three kernels that it runs
otherwise than a GPU, or that a GPU does not run."""

# /// capture
# rejects = ["square_dot_kernel"]
# differs = """
# NumPy is no tensor core: it multiplies in full float32, cuts
# bfloat16 off instead of rounding, and takes any shape."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernels]
@triton.jit
def to_bfloat16_kernel(
    x_ptr,  # address of the input, n float32
    out_ptr,  # address of the output, n bfloat16
    n,  # how many elements there are
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x.to(tl.bfloat16), mask=mask)


@triton.jit
def square_dot_kernel(
    a_ptr,  # address of a, SIZE x SIZE float32, row by row
    b_ptr,  # address of b, likewise
    out_ptr,  # address of a @ b, likewise
    SIZE: tl.constexpr,  # length of a row, a power of two
):
    rows = tl.arange(0, SIZE)[:, None]
    columns = tl.arange(0, SIZE)[None, :]
    square = rows * SIZE + columns
    product = tl.dot(tl.load(a_ptr + square), tl.load(b_ptr + square))
    tl.store(out_ptr + square, product)
# --8<-- [end:kernels]


# --8<-- [start:demo]
print("== float32 to bfloat16 ==")
x = torch.tensor([1.0 + 0.75 * 2**-7], device=DEVICE)
out = torch.empty(1, dtype=torch.bfloat16, device=DEVICE)
to_bfloat16_kernel[(1,)](x, out, 1, BLOCK=1)
print("kernel:", out.item())
print("torch:", x.bfloat16().item())


def dot(size):
    """(1 + 2**-12) times the identity matrix, in one tl.dot."""
    a = torch.eye(size, device=DEVICE) * (1.0 + 2**-12)
    b = torch.eye(size, device=DEVICE)
    out = torch.empty_like(a)
    try:
        square_dot_kernel[(1,)](a, b, out, SIZE=size)
        print(f"first element: {out[0, 0].item():.9f}")
    except Exception as error:
        last = str(error).strip().splitlines()[-1]
        print("raised:", type(error).__name__)
        print("message:", last.split(" (")[0])


print("== a dot of 16 x 16 ==")
print(f"exact: {1.0 + 2**-12:.9f}")
dot(16)
print("== a dot of 4 x 4 ==")
dot(4)
# --8<-- [end:demo]
