"""9.5 on a GPU: NVIDIA's compute-sanitizer on the store without a
mask, twice: with PyTorch's allocator, and without it."""

# /// capture
# runners = ["gpu"]
# timeout = 600
# ///

import glob
import os
import re
import shutil
import subprocess
import sys

import torch

from ch05_grids.unmasked import careless_double

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:child]
if sys.argv[1:] == ["child"]:
    x = torch.arange(1.0, 6.0, device=DEVICE)
    out = torch.empty(5, device=DEVICE)  # 20 bytes
    careless_double(x, out, block=8)  # three lanes beyond them
    torch.cuda.synchronize()
    sys.exit()
# --8<-- [end:child]


# --8<-- [start:find]
def find():
    """Where the tool is: on the path, with CUDA, or with a package."""
    places = [
        "/usr/local/cuda*/bin/compute-sanitizer",
        "/usr/local/cuda*/compute-sanitizer/compute-sanitizer",
        "/opt/nvidia/*/compute-sanitizer",
    ]
    for folder in sys.path:
        places.append(f"{folder}/nvidia/*/bin/compute-sanitizer")
    found = [shutil.which("compute-sanitizer")]
    for place in places:
        found += sorted(glob.glob(place))
    return next(filter(None, found), None)
# --8<-- [end:find]


# --8<-- [start:report]
def report(title, settings):
    """Run the child under the tool; print what does not change."""
    done = subprocess.run(
        [tool, "--tool", "memcheck", sys.executable, __file__, "child"],
        env=os.environ | settings,
        capture_output=True,
        text=True,
        timeout=280,
    )
    said = re.findall("^=+ +(.*)", done.stdout + done.stderr, re.M)
    said = [re.sub(r"\+?0x[0-9a-f]+", "ADDRESS", line) for line in said]
    writes = [i for i, line in enumerate(said) if "Invalid" in line]
    print(f"== {title} ==")
    print(f"invalid accesses: {len(writes)}")
    first = said[writes[0] :][:5] if writes else []
    for number, line in enumerate(first):
        print(f"line {number}: {line}")
    threads = sorted({t for t in said if t.startswith("by thread")})
    for number, thread in enumerate(threads):
        print(f"thread {number}: {thread}")
    for reason in ("not supported", "not compatible"):
        print(f"'{reason}': {any(reason in line for line in said)}")
    print(f"summary: {(said or ['nothing'])[-1]}")
# --8<-- [end:report]


tool = find()
if tool is None:
    print("compute-sanitizer: not installed")
else:
    print("compute-sanitizer: found")
    # --8<-- [start:demo]
    report("PyTorch's allocator", {})
    own = {"PYTORCH_NO_CUDA_MEMORY_CACHING": "1"}
    report("an allocation for each tensor", own)
    # --8<-- [end:demo]
