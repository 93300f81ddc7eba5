"""11.5: which matrix instruction a tile gets, compiled for sm_90."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it reads what is compiled, and launches nothing"
# ///

import re
from collections import Counter

from ch11_hardware.matmul import matmul_kernel
from ch11_hardware.warps import compile_for_h200, matmul_constants

MATRIX = r"(?m)^\s*(wgmma\.mma_async|mma)\.sync\S*?\.(m\d+n\d+k\d+)"


# --8<-- [start:demo]
def instructions(tile, warps, dtype="fp16", b_row=None):
    compiled = compile_for_h200(
        matmul_kernel, dtype,
        matmul_constants(tile, b_row=b_row), warps,
    )
    found = re.findall(MATRIX, compiled.asm["ptx"])
    counts = Counter(f"{a.split('.')[0]} {b}" for a, b in found)
    return ", ".join(f"{n} x {what}" for what, n in counts.items())


print("== tiles of float16, 4 warps ==")
for size in (16, 32, 64, 128):
    print(f"{size} x {size}:", instructions((size, size, 32), 4))
print("32 x 128:", instructions((32, 128, 32), 4))
print("128 x 32:", instructions((128, 32, 32), 4))
print("64 x 16:", instructions((64, 16, 32), 4))
print("64 x 8:", instructions((64, 8, 32), 4))
print("== a tile of 64 x 64, float16 ==")
for warps in (1, 2, 4, 8):
    print(f"num_warps {warps}:", instructions((64, 64, 32), warps))
print("== a tile of 128 x 128, 8 warps ==")
for dtype in ("fp16", "bf16", "fp32"):
    row = instructions((128, 128, 32), 8, dtype)
    column = instructions((128, 128, 32), 8, dtype, b_row=1)
    print(f"{dtype}, b by rows:", row)
    print(f"{dtype}, b by columns:", column)
# --8<-- [end:demo]
