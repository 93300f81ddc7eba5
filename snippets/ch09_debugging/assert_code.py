"""9.2: what is left of an assertion in the compiled code, with debug
off and on. Nothing runs: the PTX for sm_90 is searched."""

# /// capture
# runners = ["compiler"]
# no_gpu = "Compiling needs no GPU."
# ///

import torch

from ch09_debugging.asserts import assert_kernel

# --8<-- [start:demo]
x = torch.zeros(4)
for way in ("none", "assert", "device_assert"):
    for debug in (False, True):
        kernel = assert_kernel[(1,)](x, x, 4, way, BLOCK=4, debug=debug)
        ptx = kernel.asm["ptx"]
        title = f"{way}, debug={debug}"
        print(f"{title}: {ptx.count('__assertfail,')} calls")
# --8<-- [end:demo]
