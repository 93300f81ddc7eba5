"""1.2: the same arithmetic with a width that the compiler knows and
with one that arrives at run time."""

# /// capture
# differs = """
# A compiled launch returns the kernel that it used; an
# interpreted one has no kernel to return."""
# ptx = [
#     "fixed_columns_kernel(WIDTH=8, BLOCK=128)",
#     "columns_kernel(BLOCK=128)",
# ]
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 128


# --8<-- [start:kernels]
@triton.jit
def columns_kernel(
    out_ptr,  # address of the output, n int32
    n,  # how many elements there are
    width,  # length of a row, an ordinary argument
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    from_right = width - 1 - offsets % width
    tl.store(out_ptr + offsets, from_right, mask=offsets < n)


@triton.jit
def fixed_columns_kernel(
    out_ptr,  # address of the output, n int32
    n,  # how many elements there are
    WIDTH: tl.constexpr,  # length of a row, known when compiled
    BLOCK: tl.constexpr,  # elements per program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    from_right = WIDTH - 1 - offsets % WIDTH
    tl.store(out_ptr + offsets, from_right, mask=offsets < n)
# --8<-- [end:kernels]


def columns(n: int, width: int, fixed: bool, block: int = BLOCK):
    """Of n elements, the column from the right; and the kernel."""
    if n < 0 or width < 1 or max(n, width) > 2**30:
        raise ValueError(
            f"need 0 <= n and 1 <= width, both at most {2**30}, "
            f"got n = {n}, width = {width}"
        )
    out = torch.empty(n, dtype=torch.int32, device=DEVICE)
    if n == 0:
        return out, None
    grid = (triton.cdiv(n, block),)
    if fixed:
        kernel = fixed_columns_kernel[grid](
            out, n, WIDTH=width, BLOCK=block
        )
    else:
        kernel = columns_kernel[grid](out, n, width, BLOCK=block)
    return out, kernel


if __name__ == "__main__":
    print("== 1.2.1 a width, known and not yet known ==")
    # --8<-- [start:demo]
    for fixed in [False, True]:
        name = "constexpr" if fixed else "run time"
        kernels = set()
        right = True
        for width in [8, 7, 6, 5, 4, 3]:
            out, kernel = columns(20, width, fixed)
            kernels.add(id(kernel))
            columns_of_20 = torch.arange(20, device=DEVICE) % width
            want = width - 1 - columns_of_20
            right = right and torch.equal(out.long(), want)
        print(f"{name}, widths tried: 6")
        print(f"{name}, all right: {right}")
        compiled = "none, interpreted" if not kernel else len(kernels)
        print(f"{name}, kernels compiled: {compiled}")
        print(f"{name}, width 3 from the right: {out[:7].tolist()}")
    # --8<-- [end:demo]
