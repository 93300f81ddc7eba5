"""Who else may hold a tensor: the compiler's copy of the module's
globals, until Python's cycle collector comes by."""

# /// capture
# differs = "The interpreter has no compiler to keep anything."
# ///

import gc
import weakref

import torch
import triton
import triton.language as tl

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:kernel]
@triton.jit
def fill_kernel(
    out_ptr,  # output, n floats, contiguous
    n,  # number of elements
    BLOCK: tl.constexpr,  # lanes of one program, a power of two
):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + offsets, 1.0, mask=offsets < n)
# --8<-- [end:kernel]


if __name__ == "__main__":
    # --8<-- [start:demo]
    gc.disable()  # so that the collector comes only when called
    out = torch.empty(8, device=DEVICE)  # a module-level name
    watch = weakref.ref(out)
    fill_kernel[(triton.cdiv(8, 4),)](out, 8, BLOCK=4)
    print("out:", out.tolist())
    del out
    print("alive after del:", watch() is not None)
    gc.collect()
    print("alive after gc.collect():", watch() is not None)
    # --8<-- [end:demo]
