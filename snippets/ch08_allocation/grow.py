"""Trap of 8.1: what looks like memory inside a kernel."""

# /// capture
# rejects = ["list_kernel", "cell_kernel"]
# differs = """The interpreter's list is Python's own. Compiled, a
# kernel has tuples of fixed length, and neither list nor torch."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernels]
@triton.jit
def list_kernel(
    x_ptr,  # n values, float32
    out_ptr,  # one float32: their sum
    n,  # how many there are
):
    values = []
    for i in range(n):
        values.append(tl.load(x_ptr + i))
    total = 0.0
    for value in values:
        total += value
    tl.store(out_ptr, total)


@triton.jit
def cell_kernel(
    x_ptr,  # four values, float32
    out_ptr,  # four float32: the same, reversed
    n,  # how many there are, 4
):
    values = tl.zeros((4,), dtype=tl.float32)
    for i in range(n):
        values[3 - i] = tl.load(x_ptr + i)
    tl.store(out_ptr + tl.arange(0, 4), values)


@triton.jit
def torch_kernel(
    x_ptr,  # four values, float32
    out_ptr,  # four float32: the same
    n,  # how many there are, 4
):
    lanes = tl.arange(0, 4)
    scratch = torch.empty(4)
    tl.store(scratch + lanes, tl.load(x_ptr + lanes))
    tl.store(out_ptr + lanes, tl.load(scratch + lanes))
# --8<-- [end:kernels]


def last_line(error):
    last = str(error).strip().splitlines()[-1]
    return last.split(" of type object at")[0]


x = torch.arange(1.0, 5.0, device=DEVICE)
for kernel in (list_kernel, cell_kernel, torch_kernel):
    name = kernel.fn.__name__
    out = torch.full((4,), -1.0, device=DEVICE)
    try:
        kernel[(1,)](x, out, 4)
        print(f"{name}: {out.tolist()}")
    except Exception as error:
        print(f"{name}: {last_line(error)}")
