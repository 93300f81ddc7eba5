"""16.5: what the multiprocessors do meanwhile, by Nsight Compute: the
forward pass in Triton, in cuDNN and in Gluon, head dim 128."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "*, ms" = { kind = "measured", within = 0.2 }
# "*, clock MHz" = { kind = "measured", within = 0.2 }
# "*, busy %" = { kind = "measured", within = 0.2 }
# "*, issue %" = { kind = "measured", within = 0.2 }
# "*, instructions" = { kind = "measured", within = 0.1 }
# "*, L2 out %" = { kind = "measured", within = 0.2 }
# "*, L2 hit %" = { kind = "measured", within = 0.3 }
# "*, memory %" = { kind = "measured", within = 0.4 }
# ///

import sys

import torch

from ch14_reductions.counters import counted
from ch16_attention.forward import attention_forward
from ch16_attention.gluon_forward import gluon_forward
from ch16_attention.sdpa_times import WAYS, inputs

# --8<-- [start:metrics]
PEAK = ".avg.pct_of_peak_sustained_elapsed"
METRICS = {
    "ms": "gpu__time_duration.sum",
    "clock MHz": "gpc__cycles_elapsed.avg.per_second",
    "busy %": "sm__pipe_tensor_cycles_active" + PEAK,
    "issue %": "sm__inst_issued" + PEAK,
    "instructions": "smsp__inst_executed.sum",
    "L2 out %": "lts__lts2xbar_cycles_active" + PEAK,
    "L2 hit %": "lts__t_sector_hit_rate.pct",
    "memory %": "gpu__dram_throughput" + PEAK,
    "registers": "launch__registers_per_thread",
}
# --8<-- [end:metrics]


# --8<-- [start:calls]
def call_each():
    """Each way once, with the profiler watching."""
    torch.manual_seed(0)
    q, k, v, _ = inputs(4096, 128)
    ways = (
        lambda: attention_forward(q, k, v, True),
        lambda: WAYS["cuDNN"](q, k, v),
        lambda: gluon_forward(q, k, v, True),
    )
    for way in ways:  # compiled, and warm
        way()
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStart()
    for way in ways:
        way()
    torch.cuda.synchronize()
    torch.cuda.cudart().cudaProfilerStop()
# --8<-- [end:calls]


if sys.argv[1:] == ["call each"]:
    call_each()
else:
    # --8<-- [start:profile]
    found = counted(__file__, METRICS, ("tl", "cuDNN", "Gluon"))
    for name, counts in found.items():
        for label, value in counts.items():
            if label == "ms":
                value /= 1e6
            if label in ("clock MHz", "instructions"):
                value /= 1e6  # millions of instructions
            digits = 3 if label == "ms" else 0
            print(f"{name}, {label}: {value:.{digits}f}")
    # --8<-- [end:profile]
