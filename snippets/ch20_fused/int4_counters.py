"""20.5.2: the four-bit product of one row and of sixteen under Nsight
Compute: what the multiprocessors do while memory is read."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "*, us" = { kind = "measured", within = 0.3 }
# "*, read MB" = { kind = "measured", within = 0.3 }
# "*, memory %" = { kind = "measured", within = 0.3 }
# "*, issue %" = { kind = "measured", within = 0.3 }
# "*, warps %" = { kind = "measured", within = 0.3 }
# ///

import sys

import torch

from ch14_reductions.counters import counted
from ch20_fused.int4_matmul import few_rows, quantize

# --8<-- [start:metrics]
PEAK = ".avg.pct_of_peak_sustained_elapsed"
METRICS = {
    "us": "gpu__time_duration.sum",
    "read MB": "dram__bytes_read.sum",
    "memory %": "gpu__dram_throughput" + PEAK,
    "issue %": "sm__inst_issued" + PEAK,
    "warps %": "sm__warps_active.avg.pct_of_peak_sustained_active",
    "programs": "launch__grid_size",
    "registers": "launch__registers_per_thread",
}
LAUNCHES = "1 row", "1 row, parts", "16 rows", "16 rows, parts"
# --8<-- [end:metrics]


# --8<-- [start:calls]
def call_each():
    """Each product once, with the profiler watching."""
    torch.manual_seed(0)
    weight = torch.randn(28672, 8192, device="cuda").bfloat16() / 64
    packed, scales = quantize(weight)
    x = torch.randn(16, 8192, device="cuda").bfloat16()
    for rows in (1, 16):  # compiled, and warm
        few_rows(x[:rows], packed, scales)
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStart()
    for rows in (1, 16):
        few_rows(x[:rows], packed, scales)
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStop()
# --8<-- [end:calls]


if sys.argv[1:] == ["call each"]:
    call_each()
else:
    found = counted(__file__, METRICS, LAUNCHES)
    for name, counts in found.items():
        for label, value in counts.items():
            value *= {"us": 1e-3, "read MB": 1e-6}.get(label, 1)
            digits = 1 if label == "us" else 0
            print(f"{name}, {label}: {value:.{digits}f}")
