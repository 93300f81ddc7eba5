"""4.4: one row of a large matrix, read with an offset of 32 bits and
of 64, each in a process of its own, because an illegal access ends
the work of a process on the GPU. GPU only."""

# /// capture
# runners = ["gpu"]
# timeout = 240
# ///

import subprocess
import sys

import torch
import triton
import triton.language as tl

ROWS = 2**16 + 8
COLS = 2**15  # with float32, 8 GiB
ROW = 2**16 + 1  # begins at element 2**31 + 2**15


# --8<-- [start:kernels]
@triton.jit
def narrow_row_kernel(
    x_ptr,  # address of x[0, 0]
    out_ptr,  # address of the row's copy, contiguous
    row,  # which row
    stride,  # elements from row to row
    n,  # columns
    BLOCK: tl.constexpr,  # columns per program
):
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = cols < n
    x = tl.load(x_ptr + row * stride + cols, mask=mask)
    tl.store(out_ptr + cols, x, mask=mask)


@triton.jit
def wide_row_kernel(
    x_ptr,  # the same arguments
    out_ptr,
    row,
    stride,
    n,
    BLOCK: tl.constexpr,
):
    cols = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = cols < n
    x = tl.load(x_ptr + row.to(tl.int64) * stride + cols, mask=mask)
    tl.store(out_ptr + cols, x, mask=mask)
# --8<-- [end:kernels]


# --8<-- [start:read]
def read_row(kernel, tensors=1, debug=False):
    """Row ROW of the last of some matrices, made in one piece."""
    whole = torch.empty(tensors, ROWS, COLS, device="cuda")
    numbers = torch.arange(float(ROWS), device="cuda")
    for matrix in range(tensors):  # each value tells where it stands
        whole[matrix] = numbers[:, None] + matrix / 2
    x = whole[-1]
    out = torch.empty(COLS, device="cuda")
    grid = (triton.cdiv(COLS, 1024),)
    kernel[grid](
        x, out, ROW, x.stride(0), COLS, BLOCK=1024, debug=debug
    )
    torch.cuda.synchronize()
    print(f"wanted: {x[ROW, 0].item()}")
    print(f"got: {out.unique().tolist()}")
# --8<-- [end:read]


# --8<-- [start:cases]
CASES = {
    "32 bits, the matrix alone": lambda: read_row(narrow_row_kernel),
    "32 bits, another matrix before it": lambda: read_row(
        narrow_row_kernel, tensors=2
    ),
    "32 bits, debug=True": lambda: read_row(
        narrow_row_kernel, debug=True
    ),
    "64 bits": lambda: read_row(wide_row_kernel),
}
KNOWN = (
    "an illegal memory access was encountered",
    "device-side assert triggered",
    "int32 overflow detected for operation mul",
)


def in_a_process(title):
    """Run one case; print its output, and which messages it made."""
    done = subprocess.run(
        [sys.executable, __file__, title],
        capture_output=True,
        text=True,
    )
    print(done.stdout, end="")
    for message in KNOWN:
        if message in done.stderr:
            print(f"message: {message}")
    print(f"exit code: {done.returncode}")
# --8<-- [end:cases]


if len(sys.argv) > 1:
    CASES[sys.argv[1]]()
else:
    for title in CASES:
        print(f"== {title} ==", flush=True)
        in_a_process(title)
