"""9.1.1: four ways to print from a kernel: who prints, how often, and
what. The lines are caught where they arrive, at descriptor 1."""

# /// capture
# differs = """
# A print is Python's in the interpreter and device_print when compiled,
# static_print is a remark of the compiler, and a compiled device_print
# speaks once for every thread."""
# ///

import ctypes
import os
import sys
import tempfile

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
BLOCK = 4


# --8<-- [start:kernel]
@triton.jit
def print_kernel(
    x_ptr,  # address of x[0], float32
    n,  # how many elements there are
    WAY: tl.constexpr,  # how to print
    BLOCK: tl.constexpr,  # elements per program
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + offsets, mask=offsets < n, other=0.0)
    if WAY == "print":
        print("x", x)
    elif WAY == "static_print":
        tl.static_print("x is", x)
    elif WAY == "device_print":
        tl.device_print("x", x)
    elif WAY == "device_print of n":
        tl.device_print("n", n)
# --8<-- [end:kernel]


# --8<-- [start:captured]
def captured(launch):
    """The lines that reach this process's standard output during a
    launch, whether Python, C or the GPU's driver writes them."""
    sys.stdout.flush()
    screen = os.dup(1)
    with tempfile.TemporaryFile() as file:
        os.dup2(file.fileno(), 1)
        try:
            launch()
            if DEVICE == "cuda":
                torch.cuda.synchronize()  # the GPU's lines come now
        finally:
            sys.stdout.flush()  # what Python keeps back
            ctypes.CDLL(None).fflush(None)  # what C keeps back
            os.dup2(screen, 1)
            os.close(screen)
        file.seek(0)
        return file.read().decode().splitlines()
# --8<-- [end:captured]


# --8<-- [start:attempt]
def attempt(way, n):
    """Print n numbers from one kernel, launched twice."""
    print(f"== 9.1.1 {way}, n = {n} ==")
    x = torch.arange(1.0, n + 1, device=DEVICE)
    grid = (triton.cdiv(n, BLOCK),)

    def launch():
        print_kernel[grid](x, n, way, BLOCK=BLOCK)

    lines = captured(launch)
    print(f"lines, first launch: {len(lines)}")
    print(f"lines, second launch: {len(captured(launch))}")
    distinct = sorted(set(lines))
    print(f"distinct: {len(distinct)}")
    for number, line in enumerate(distinct):
        print(f"line {number}: {line.strip()}")
# --8<-- [end:attempt]


if __name__ == "__main__":
    # --8<-- [start:demo]
    attempt("print", 6)
    attempt("static_print", 6)
    attempt("device_print", 6)
    attempt("device_print of n", 6)
    # --8<-- [end:demo]
