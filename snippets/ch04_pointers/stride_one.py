"""Trap of 4.4: an argument that equals 1 is a constant when compiled,
and a constant has no .to()."""

# /// capture
# rejects = ["widen_argument_kernel"]
# differs = """Compiled, an argument that equals 1 is the constant 1,
# without methods; interpreted, it is a tensor like any other."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernels]
@triton.jit
def widen_argument_kernel(
    out_ptr,  # address of one result, int64
    stride,  # elements from row to row
):
    row = tl.program_id(0)
    tl.store(out_ptr + row, row * stride.to(tl.int64))


@triton.jit
def widen_row_kernel(
    out_ptr,  # address of one result, int64
    stride,  # elements from row to row
):
    row = tl.program_id(0).to(tl.int64)
    tl.store(out_ptr + row, row * stride)
# --8<-- [end:kernels]


# --8<-- [start:demo]
for kernel in (widen_argument_kernel, widen_row_kernel):
    for stride in (8, 1):
        out = torch.full((3,), -1, dtype=torch.int64, device=DEVICE)
        try:
            kernel[(3,)](out, stride)
        except Exception as error:
            said = "'to'" in str(error)
            print(f"raised: {type(error).__name__}")
            print(f"it says that something has no 'to': {said}")
        name = kernel.__name__
        print(f"{name}, stride {stride}: {out.tolist()}")
# --8<-- [end:demo]
