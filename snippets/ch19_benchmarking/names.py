"""19.5.2: which kernels a call launches, by Triton's own profiler."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* us" = { kind = "measured", within = 0.3 }
# ///

import json
import re

import torch
import triton.profiler as proton
import triton.testing

from ch12_elementwise.fma_relu import fused_fma_relu
from ch15_softmax.rms_norm import rms_norm

# --8<-- [start:record]
torch.manual_seed(0)
x = torch.randn(16384, 4096, device="cuda")
weight = torch.randn(4096, device="cuda")
cases = {
    "three torch operators": lambda: torch.relu(1.1 * x - 0.3),
    "one kernel": lambda: fused_fma_relu(x, 1.1, -0.3),
    "norm by torch": lambda: torch.rms_norm(x, (4096,), weight),
    "norm of 15.4": lambda: rms_norm(x, weight),
}
for fn in cases.values():
    fn()  # compiles
proton.start("seen", hook="triton")
for name, fn in cases.items():
    with proton.scope(name):
        for _ in range(20):
            fn()
torch.cuda.synchronize()
proton.finalize()
# --8<-- [end:record]


# --8<-- [start:read]
def kernels(node):
    """Name, launches and nanoseconds of all that lie below."""
    for child in node["children"]:
        metrics = child["metrics"]
        if "time (ns)" in metrics and metrics["time (ns)"]:
            name = child["frame"]["name"]  # C++'s are mangled
            name = re.findall(r"[a-z][a-z_]*kernel", name)[0]
            yield name, metrics["count"], metrics["time (ns)"]
        yield from kernels(child)


with open("seen.hatchet") as file:
    root = json.load(file)[0]
for scope in sorted(root["children"], key=lambda n: n["frame"]["name"]):
    print(f"== {scope['frame']['name']} ==")
    for number, (name, count, ns) in enumerate(kernels(scope)):
        print(f"kernel {number}: {name}")
        print(f"kernel {number} launches: {count}")
        print(f"kernel {number} us: {ns / count / 1000:.1f}")
# --8<-- [end:read]
print("== a stopwatch beside it ==")
for name, fn in cases.items():
    ms = triton.testing.do_bench(fn, quantiles=[0.5, 0.2, 0.8])[0]
    print(f"{name}, do_bench us: {1000 * ms:.1f}")
