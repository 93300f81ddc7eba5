"""15.5: what becomes of a division by the row's sum, compiled."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it reads what is compiled, and launches nothing"
# ///

import re
import subprocess
import tempfile

import triton
import triton.language as tl

from ch11_hardware.warps import CUOBJDUMP, compile_for_h200
from ch15_softmax.no_shift import plain_softmax_kernel


# --8<-- [start:demo]
def machine_code(compiled):
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(compiled.asm["cubin"])
        file.flush()
        return subprocess.check_output(
            [CUOBJDUMP, "-sass", file.name],
            stderr=subprocess.DEVNULL,
            text=True,
        )


compiled = compile_for_h200(
    plain_softmax_kernel, "fp32", {"BLOCK": 8192}, warps=16
)
sass = machine_code(compiled)
print(f"elements of a thread: {8192 // (16 * 32)}")
for name, text, pattern in (
    ("PTX, divisions", compiled.asm["ptx"], r"div\.full"),
    ("PTX, exponentials", compiled.asm["ptx"], r"ex2\.approx"),
    ("machine code, reciprocals", sass, r"MUFU\.RCP"),
    ("machine code, exponentials", sass, r"MUFU\.EX2"),
):
    print(f"{name}: {len(re.findall(pattern, text))}")
# --8<-- [end:demo]
