"""9.2: the assertions of 9.2.1 on a GPU, with checks switched on in
two ways; each in a process of its own, because one that fires ends
the work of its process on the device."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# ///

import os
import subprocess
import sys

import torch

from ch09_debugging.asserts import attempt

BROKEN = [4.0, -9.0, 16.0, 25.0]
SOUND = [4.0, 9.0, 16.0]  # and one lane that is not there
KNOWN = "device-side assert triggered"

# --8<-- [start:cases]
CASES = {
    "assert": ("assert", BROKEN, {}, {}),
    "assert, debug=True": ("assert", BROKEN, {"debug": True}, {}),
    "device_assert": ("device_assert", BROKEN, {}, {}),
    "device_assert, debug=True": (
        "device_assert", BROKEN, {"debug": True}, {}
    ),
    "device_assert, TRITON_DEBUG=1": (
        "device_assert", BROKEN, {}, {"TRITON_DEBUG": "1"}
    ),
    "three sound values, debug=True": (
        "device_assert", SOUND, {"debug": True}, {}
    ),
    "three sound values, masked, debug=True": (
        "device_assert, masked", SOUND, {"debug": True}, {}
    ),
}
# --8<-- [end:cases]

# --8<-- [start:run]
if len(sys.argv) > 1:
    way, values, options, _ = CASES[sys.argv[1]]
    print("child:", attempt(way, values, **options))
    torch.cuda.synchronize()  # a failure stays, and is raised again
else:
    for title, (*_, settings) in CASES.items():
        done = subprocess.run(
            [sys.executable, __file__, title],
            env=os.environ | settings,
            capture_output=True,
            text=True,
        )
        fired = done.stderr.count("Assertion `negative` failed")
        late = KNOWN in done.stdout + done.stderr
        print(f"== {title} ==")
        print(f"threads that complained: {fired}")
        print(f"{KNOWN}: {late}")
        passed = "child: passed" in done.stdout
        print(f"the launch passed: {passed}")
# --8<-- [end:run]
