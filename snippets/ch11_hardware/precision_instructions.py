"""11.4: three precisions, three kernels, compiled without a GPU."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it reads what is compiled, and launches nothing"
# ///

import re

from ch11_hardware.matmul import matmul_kernel
from ch11_hardware.warps import (
    compile_for_h200,
    matmul_constants,
    resources,
)

# --8<-- [start:demo]
TILE = (64, 64, 32)
MATRIX = r"(?m)^\s*((?:wgmma\.mma_async|mma)\.sync\S*)"
for precision in ("tf32", "tf32x3", "ieee"):
    constants = matmul_constants(TILE, precision)
    compiled = compile_for_h200(matmul_kernel, "fp32", constants)
    ptx = compiled.asm["ptx"]
    matrix = re.findall(MATRIX, ptx)
    print(f"{precision} matrix instructions: {len(matrix)}")
    print(f"{precision} kind: {' '.join(sorted(set(matrix))) or '-'}")
    print(f"{precision} fma.rn.f32: {ptx.count('fma.rn.f32')}")
    print(f"{precision} registers: {resources(compiled)[0]}")
# --8<-- [end:demo]

# --8<-- [start:copies]
print("== asynchronous copies of a and b, float32 ==")
TILES = (((32, 32, 32), 4), ((64, 64, 32), 4), ((128, 128, 32), 8))
for tile, warps in TILES:
    for name, b_row in (("rows", None), ("columns", 1)):
        constants = matmul_constants(tile, b_row=b_row)
        ptx = compile_for_h200(
            matmul_kernel, "fp32", constants, warps
        ).asm["ptx"]
        sizes = re.findall(r"cp\.async\.c[ag].*, 0x(\w+), ", ptx)
        print(
            f"{tile[0]} x {tile[1]}, b by {name}: "
            f"{sizes.count('10')} of 16 B, {sizes.count('4')} of 4 B"
        )
# --8<-- [end:copies]
