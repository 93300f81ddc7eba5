"""11.2: shared memory by num_stages, compiled without a GPU."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it reads what is compiled, and launches nothing"
# ///

import re

from ch01_model.relu_toggle import _relu_toggle_kernel
from ch11_hardware.matmul import matmul_kernel
from ch11_hardware.warps import (
    compile_for_h200,
    matmul_constants,
    resources,
)

# --8<-- [start:demo]
TILE = (128, 256, 64)
LIMIT = 232_448  # bytes of shared memory for a program, H200
print("bytes of a step:", 2 * (128 * 64 + 64 * 256))
for stages in range(1, 6):
    compiled = compile_for_h200(
        matmul_kernel, "fp16", matmul_constants(TILE), 8, stages
    )
    shared = compiled.metadata.shared
    ptx = compiled.asm["ptx"]
    copies = len(re.findall(r"cp\.async\.c[ag]", ptx))
    waits = re.findall(r"cp\.async\.wait_group\s+(\d+)", ptx)
    print(f"num_stages {stages} bytes: {shared}")
    print(f"num_stages {stages} fits: {shared <= LIMIT}")
    print(f"num_stages {stages} asynchronous copies: {copies}")
    ahead = int(waits[0]) // 2 + 1 if waits else 0
    print(f"num_stages {stages} steps under way: {ahead}")
    print(f"num_stages {stages} registers: {resources(compiled)[0]}")

codes = set()
for stages in (1, 4):
    constants = {"USE_RELU": True, "BLOCK": 1024}
    compiled = compile_for_h200(
        _relu_toggle_kernel, "fp32", constants, 4, stages
    )
    codes.add(compiled.asm["ptx"])
print("without a loop, different kernels:", len(codes))
# --8<-- [end:demo]
