"""5.4.1: & against and, ~ against not, interpreted and compiled."""

# /// capture
# differs = """Under the interpreter and, or, not are Python's: they
# ask a block for one truth value. Compiled, they work lane by lane."""
# ///

import warnings

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 5
BLOCK = 8


# --8<-- [start:two]
@triton.jit
def even_kernel(
    out_ptr,  # address of out[0], int32; even elements become 1
    n,  # how many elements out has
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = (offsets < n) & (offsets % 2 == 0)
    tl.store(out_ptr + offsets, 1, mask=mask)


@triton.jit
def even_and_kernel(
    out_ptr,  # address of out[0], int32; even elements become 1
    n,  # how many elements out has
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = (offsets < n) and (offsets % 2 == 0)
    tl.store(out_ptr + offsets, 1, mask=mask)
# --8<-- [end:two]


# --8<-- [start:more]
@triton.jit
def ends_or_kernel(
    out_ptr,  # address of out[0], int32; both ends become 1
    n,  # how many elements out has
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = (offsets == 0) or (offsets == n - 1)
    tl.store(out_ptr + offsets, 1, mask=mask)


@triton.jit
def all_not_kernel(
    out_ptr,  # address of out[0], int32; every element becomes 1
    n,  # how many elements out has
    BLOCK: tl.constexpr,  # how many of them one program takes
):
    first = tl.program_id(0).to(tl.int64) * BLOCK
    offsets = first + tl.arange(0, BLOCK)
    mask = not (offsets >= n)
    tl.store(out_ptr + offsets, 1, mask=mask)
# --8<-- [end:more]


# --8<-- [start:run]
def mark(kernel, n=N, block=BLOCK):
    """Marks, and what lies behind them; what the compiler said."""
    grid = (triton.cdiv(n, block),)
    buffer = torch.zeros(
        grid[0] * block, dtype=torch.int32, device=DEVICE
    )
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        kernel[grid](buffer, n, BLOCK=block)
    return buffer, sorted({str(w.message) for w in caught})
# --8<-- [end:run]


if __name__ == "__main__":
    print("== 5.4.1 five elements, eight lanes ==")
    # --8<-- [start:demo]
    for title, kernel in [
        ("&", even_kernel),
        ("and", even_and_kernel),
        ("or", ends_or_kernel),
        ("not", all_not_kernel),
    ]:
        buffer, said = mark(kernel)
        print(f"{title}, marks: {buffer[:N].tolist()}")
        print(f"{title}, behind: {buffer[N:].tolist()}")
        print(f"{title}, warned: {' '.join(said) or 'no'}")
    # --8<-- [end:demo]
