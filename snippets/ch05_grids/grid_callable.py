"""5.1: a grid that is a function, and grids that are none."""

# /// capture
# differs = """A grid function gets numbers when compiled and
# tensors under the interpreter, which also refuses a list."""
# ///

import torch
import triton

from ch05_grids.cover import owner_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

out = torch.full((10,), -1, dtype=torch.int32, device=DEVICE)
n = out.numel()

print("== a function ==")
# --8<-- [start:function]
def grid(meta):
    print(f"names in meta: {', '.join(meta)}")
    print(f"type of BLOCK: {type(meta['BLOCK']).__name__}")
    print(f"type of n: {type(meta['n']).__name__}")
    return (triton.cdiv(n, meta["BLOCK"]),)


owner_kernel[grid](out, n, BLOCK=4)
print(f"owners: {out.tolist()}")
# --8<-- [end:function]

print("== not a tuple of integers ==")
# --8<-- [start:wrong]
for wrong in (3, [3], (10 / 4,)):
    try:
        owner_kernel[wrong](out, n, BLOCK=4)
        print(f"{wrong}: accepted")
    except Exception as error:
        print(f"{wrong}: {type(error).__name__}: {error}")
# --8<-- [end:wrong]
