"""19.5.1: three kernels under Nsight Compute. The program has itself
profiled, one launch of each kernel, and prints what was counted."""

# /// capture
# runners = ["gpu"]
# timeout = 240
# [labels]
# "* us" = { kind = "measured", within = 0.3 }
# "* %" = { kind = "measured", within = 0.4 }
# "* MB" = { kind = "measured", within = 0.3 }
# "* per request" = { kind = "measured", within = 0.2 }
# "waiting *" = { kind = "measured", within = 0.5 }
# ///

import csv
import os
import shutil
import subprocess
import sys

import torch
import triton.testing

from ch03_layout.strided import every
from ch12_elementwise.fma_relu import fused_fma_relu
from ch13_matmul.persistent import matmul_persistent

STRIDE = 16

# --8<-- [start:metrics]
STALLED = "smsp__average_warps_issue_stalled_{}_per_issue_active.ratio"
ACTIVE = ".avg.pct_of_peak_sustained_active"
GLOBAL = "l1tex__average_t_sectors_per_request_pipe_lsu_mem_global_op_"
METRICS = {  # what we call it: what ncu calls it, and a factor
    "time us": ("gpu__time_duration.sum", 1e-3),
    "DRAM busy %": (
        "dram__throughput.avg.pct_of_peak_sustained_elapsed", 1
    ),
    "DRAM read MB": ("dram__bytes_read.sum", 1e-6),
    "DRAM written MB": ("dram__bytes_write.sum", 1e-6),
    "sectors per request": (GLOBAL + "ld.ratio", 1),
    "L1 hits %": ("l1tex__t_sector_hit_rate.pct", 1),
    "L2 hits %": ("lts__t_sector_hit_rate.pct", 1),
    "tensor cores busy %": (
        "sm__pipe_tensor_cycles_active" + ACTIVE, 1
    ),
    "issue slots busy %": ("smsp__issue_active" + ACTIVE, 1),
    "warps resident %": ("sm__warps_active" + ACTIVE, 1),
    "waiting for memory": (STALLED.format("long_scoreboard"), 1),
    "waiting to ask": (STALLED.format("lg_throttle"), 1),
    "waiting for a barrier": (STALLED.format("barrier"), 1),
    "waiting in all": (
        "smsp__average_warp_latency_per_inst_issued.ratio", 1
    ),
    "registers": ("launch__registers_per_thread", 1),
    "shared bytes": ("launch__shared_mem_per_block_dynamic", 1),
    "programs": ("launch__grid_size", 1),
    "fit, by registers": ("launch__occupancy_limit_registers", 1),
    "fit, by shared memory": (
        "launch__occupancy_limit_shared_mem", 1
    ),
    "fit, by warps": ("launch__occupancy_limit_warps", 1),
}  # fmt: skip
# --8<-- [end:metrics]


# --8<-- [start:profile]
def find_ncu():
    usual = "/usr/local/cuda/bin/ncu"
    found = shutil.which("ncu") or (os.path.exists(usual) and usual)
    if not found:
        sys.exit("Nsight Compute is not here: no ncu on the PATH")
    return found


def profile(names, *options):
    """By kernel: what ncu says of it."""
    done = subprocess.run(
        [
            find_ncu(), "--profile-from-start", "off",
            "--csv", "--print-units", "base",
            "--metrics", ",".join(names), *options,
            sys.executable, __file__, "child",
        ],
        capture_output=True, text=True,
    )  # fmt: skip
    lines = (done.stdout + done.stderr).splitlines()
    table = [line for line in lines if line.startswith('"')]
    if not table:
        sys.exit("ncu counted nothing:\n" + "\n".join(lines[-20:]))
    found = {}
    for row in csv.DictReader(table):
        value = row["Metric Value"].replace(",", "")
        kernel = found.setdefault(row["Kernel Name"], {})
        kernel[row["Metric Name"]] = value
    return found
# --8<-- [end:profile]


# --8<-- [start:cases]
torch.manual_seed(0)
x = torch.randn(2**26, device="cuda")
wide = torch.randn(2**28, device="cuda")
a = torch.randn(4096, 4096, device="cuda").bfloat16()
b = torch.randn(4096, 4096, device="cuda").bfloat16()
cases = {
    "strided_kernel": lambda: every(wide, STRIDE),
    "fma_relu_kernel": lambda: fused_fma_relu(x, 1.1, -0.3),
    "persistent_kernel": lambda: matmul_persistent(a, b),
}
if sys.argv[1:] == ["child"]:
    for fn in cases.values():
        fn()  # compiles
    torch.cuda.synchronize()
    with torch.cuda.profiler.profile():  # from here on ncu counts
        for fn in cases.values():
            fn()
        torch.cuda.synchronize()
    sys.exit()
# --8<-- [end:cases]

# --8<-- [start:print]
names = [name for name, _ in METRICS.values()]
found = profile(names, "--clock-control", "none")
for kernel in cases:
    print(f"== {kernel} ==")
    for label, (name, factor) in METRICS.items():
        value = found[kernel].get(name, "")
        try:
            print(f"{label}: {float(value) * factor:.6g}")
        except ValueError:
            print(f"{label}: not counted")
print("== the profiler ==")
plain = profile(["gpu__time_duration.sum"])
for kernel, fn in cases.items():
    ms = triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]
    base = float(plain[kernel]["gpu__time_duration.sum"]) / 1000
    print(f"{kernel}, do_bench us: {1000 * ms:.1f}")
    print(f"{kernel}, ncu as it comes us: {base:.1f}")
# --8<-- [end:print]
