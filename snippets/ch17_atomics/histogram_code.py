"""17.1.2: what tl.histogram is made of, counted in the code for an
H200, for each element that a thread counts."""

# /// capture
# runners = ["compiler"]
# no_gpu = "it reads what is compiled, and launches nothing"
# ///

import re
import subprocess
import tempfile

from ch11_hardware.warps import CUOBJDUMP, compile_for_h200
from ch17_atomics.histogram import count_blocks_kernel

PLACE = r"^\s+/\*[0-9a-f]{4,}\*/\s+"  # of an instruction
CONDITION = r"(?:@!?U?P\d+\s+)?"


# --8<-- [start:demo]
def instructions(compiled):
    """The names of all machine instructions of a kernel."""
    with tempfile.NamedTemporaryFile(suffix=".cubin") as file:
        file.write(compiled.asm["cubin"])
        file.flush()
        listing = subprocess.check_output(
            [CUOBJDUMP, "-sass", file.name],
            stderr=subprocess.DEVNULL,
            text=True,
        )
    names = PLACE + CONDITION + r"([A-Z0-9_]+)"
    return re.findall(names, listing, re.MULTILINE)


BLOCK, WARPS = 8192, 8
EACH = BLOCK // (32 * WARPS)
print(f"elements of a thread: {EACH}")
for bins in (32, 64, 256, 1024):
    names = instructions(
        compile_for_h200(
            count_blocks_kernel,
            "i32",
            {"BLOCK": BLOCK, "BINS": bins},
            WARPS,
        )
    )
    print(f"{bins} bins, instructions: {len(names) / EACH:.1f}")
    for name in ("VOTE", "POPC", "LOP3"):
        print(f"{bins} bins, {name}: {names.count(name) / EACH:.1f}")
# --8<-- [end:demo]
