"""4.4: an argument declared as tl.int64 in the signature. The compiler
obeys; the interpreter does not look."""

# /// capture
# differs = """The compiler widens an argument that is annotated with
# tl.int64; the interpreter ignores the annotation."""
# ///

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def declared_kernel(
    out_ptr,  # address of one result, int64
    row,  # which row
    stride: tl.int64,  # elements from row to row
):
    tl.store(out_ptr, row * stride)
# --8<-- [end:kernel]


# --8<-- [start:demo]
out = torch.empty(1, dtype=torch.int64, device=DEVICE)
declared_kernel[(1,)](out, 2**16, 2**15)
print(f"row * stride: {out.item()}")
print(f"right: {out.item() == 2**16 * 2**15}")
# --8<-- [end:demo]
