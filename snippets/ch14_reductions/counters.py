"""14.4 under Nsight Compute: where the launches of the two sums spend
their time."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "*, us" = { kind = "measured", within = 0.3 }
# "*, read MB" = { kind = "measured", within = 0.3 }
# "*, memory %" = { kind = "measured", within = 0.3 }
# "*, warps %" = { kind = "measured", within = 0.3 }
# "*, issue %" = { kind = "measured", within = 0.4 }
# ///

import csv
import os
import shutil
import subprocess
import sys

import torch

from ch14_reductions.sum_all import sum_all
from ch14_reductions.sum_columns import sum_columns

# --8<-- [start:metrics]
PEAK = ".avg.pct_of_peak_sustained_elapsed"
METRICS = {
    "us": "gpu__time_duration.sum",
    "read MB": "dram__bytes_read.sum",
    "memory %": "gpu__dram_throughput" + PEAK,
    "warps %": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "issue %": "sm__inst_issued" + PEAK,
    "programs": "launch__grid_size",
}
LAUNCHES = (
    "sum first", "sum second", "columns first", "columns second"
)
# --8<-- [end:metrics]


def call_each():
    """Each way once, with the profiler watching."""
    torch.manual_seed(0)
    x = torch.randn(16384, 8192, device="cuda").to(torch.bfloat16)
    ways = (
        lambda: sum_all(x),
        lambda: sum_columns(x, overlap=False),
    )
    for way in ways:  # compiled, and warm
        way()
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStart()
    for way in ways:
        way()
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStop()


# --8<-- [start:profile]
def counted(path, metrics, launches):
    """Run the file at path again under ncu, to call each: what the
    metrics counted, by launch and by label."""
    usual = "/usr/local/cuda/bin/ncu"
    ncu = shutil.which("ncu") or usual
    if not os.path.exists(ncu):
        print("ncu (NVIDIA Nsight Compute) is not there: no profile")
        return {}
    answer = subprocess.run(
        [
            ncu, "--clock-control", "none", "--profile-from-start",
            "off", "--page", "raw", "--csv", "--print-units", "base",
            "--metrics", ",".join(metrics.values()),
            sys.executable, path, "call each",
        ],
        capture_output=True,
        text=True,
    )  # fmt: skip
    _, _, table = answer.stdout.partition('"ID"')
    if answer.returncode or not table:
        raise RuntimeError((answer.stdout + answer.stderr)[-500:])
    rows = list(csv.DictReader(('"ID"' + table).splitlines()))[1:]
    return {
        name: {
            label: float(row[metric].replace(",", ""))
            for label, metric in metrics.items()
        }
        for name, row in zip(launches, rows, strict=True)
    }
# --8<-- [end:profile]


if __name__ == "__main__":
    if sys.argv[1:] == ["call each"]:
        call_each()
    else:
        found = counted(__file__, METRICS, LAUNCHES)
        for name, counts in found.items():
            for label, value in counts.items():
                value *= {"us": 1e-3, "read MB": 1e-6}.get(label, 1)
                digits = 1 if label == "us" else 0
                print(f"{name}, {label}: {value:.{digits}f}")
