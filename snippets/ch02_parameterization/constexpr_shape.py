"""Worked example 2.1.1: one source, three values of BLOCK, and how
often tl.static_print speaks in each mode."""

# /// capture
# differs = """
# The interpreter prints once a program; the compiler, once
# a specialization."""
# ///

import contextlib
import io

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
DTYPES = (torch.float32, torch.float16, torch.bfloat16)
MAX_N = 2**30  # beyond it 32-bit offsets come near their end


# --8<-- [start:kernel]
@triton.jit
def shape_kernel(
    x_ptr,  # input, n floats, contiguous
    out_ptr,  # output, n floats, contiguous
    n,  # number of elements, known at run time
    BLOCK: tl.constexpr,  # lanes of one program, a power of two
):
    tl.static_print("tracing shape_kernel, BLOCK =", BLOCK)
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask)
    tl.store(out_ptr + offsets, x.to(tl.float32) * 2.0, mask=mask)
# --8<-- [end:kernel]


# --8<-- [start:wrapper]
def check_vector(x):
    """Raise unless the kernels of this chapter can read x."""
    if x.dtype not in DTYPES:
        raise TypeError(f"need a float tensor, got {x.dtype}")
    if x.device.type != DEVICE:
        raise ValueError(f"need device {DEVICE}, got {x.device}")
    if not x.is_contiguous():
        raise ValueError(
            f"need a contiguous tensor, got shape {tuple(x.shape)} "
            f"with strides {x.stride()}"
        )
    if x.numel() > MAX_N:
        raise ValueError(f"need n <= {MAX_N}, got {x.numel()}")


def double(x, block):
    """2 * x, computed by programs of `block` lanes."""
    check_vector(x)
    out = torch.empty_like(x)
    n = x.numel()
    if n == 0:
        return out
    grid = (triton.cdiv(n, block),)
    shape_kernel[grid](x, out, n, BLOCK=block)
    return out
# --8<-- [end:wrapper]


if __name__ == "__main__":
    print("== 2.1.1 one source, three values of BLOCK ==")
    # --8<-- [start:demo]
    x = torch.arange(8, dtype=torch.float32, device=DEVICE)
    lines_in_all = 0
    for launch, block in enumerate([8, 16, 2, 2], start=1):
        text = io.StringIO()
        with contextlib.redirect_stdout(text):
            out = double(x, block)
        lines = text.getvalue().count("\n")
        lines_in_all += lines
        print(f"launch {launch} BLOCK: {block}")
        print(f"launch {launch} programs: {triton.cdiv(8, block)}")
        print(text.getvalue(), end="")
        print(f"launch {launch} lines: {lines}")
        print(f"launch {launch} result: {out.tolist()}")
    print(f"lines in all: {lines_in_all}")
    # --8<-- [end:demo]
