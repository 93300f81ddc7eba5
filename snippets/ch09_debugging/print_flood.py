"""9.1 on a GPU: more lines than the buffer for them holds."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* lines that arrived" = { kind = "volatile" }
# "* share that arrived" = { kind = "volatile" }
# ///

import torch

from ch09_debugging.who_prints import captured, print_kernel

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:demo]
def flood(programs):
    """Print 128 lanes of each program, a line a thread."""
    n = programs * 128
    x = torch.ones(n, device=DEVICE)
    lines = captured(
        lambda: print_kernel[(programs,)](
            x, n, "device_print", BLOCK=128
        )
    )
    whole = [line for line in lines if line.endswith("x: 1.000000")]
    title = f"{programs} programs,"
    print(f"{title} lanes: {n}")
    print(f"{title} lines that arrived: {len(whole)}")
    print(f"{title} share that arrived: {len(whole) / n:.3f}")
    print(f"{title} all arrived: {len(whole) == n}")


flood(1)
flood(16)
flood(4096)
# --8<-- [end:demo]
