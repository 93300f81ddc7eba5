"""One program runs on one multiprocessor, however many lanes it has.
Seen on a GPU: where programs ran, registers, and the time."""

# /// capture
# runners = ["gpu"]
# timeout = 300
# [labels]
# "multiprocessors used" = { kind = "volatile" }
# "* us" = { kind = "measured", within = 0.5 }
# "one program over grid" = { kind = "measured", within = 0.5 }
# ///

import torch
import triton
import triton.language as tl
from triton.language.extra.cuda import smid

from ch02_parameterization.scratch import partial_sums_kernel

N = 2**18


# --8<-- [start:kernel]
@triton.jit
def where_kernel(
    sm_ptr,  # one int32 for each program
):
    tl.store(sm_ptr + tl.program_id(0), smid())
# --8<-- [end:kernel]


# --8<-- [start:demo]
properties = torch.cuda.get_device_properties(0)
print("== the device ==")
print("multiprocessors:", properties.multi_processor_count)
print("n:", N)
print("bytes read:", 4 * N)

torch.manual_seed(0)
x = torch.randn(N, device="cuda")
scratch = torch.empty(N, device="cuda")
us = []
for block in [N, 1024]:
    programs = N // block
    grid = (programs,)
    print(f"== grid ({programs},), BLOCK {block} ==")
    kernel = partial_sums_kernel[grid](x, scratch, N, BLOCK=block)
    print("registers per thread:", kernel.n_regs)
    print("registers spilled:", kernel.n_spills)
    sms = torch.empty(programs, dtype=torch.int32, device="cuda")
    where_kernel[grid](sms)
    print("multiprocessors used:", sms.unique().numel())
    ms = triton.testing.do_bench(
        lambda: partial_sums_kernel[grid](
            x, scratch, N, BLOCK=block
        ),
        quantiles=[0.5, 0.2, 0.8],
    )[0]
    us.append(1000 * ms)
    print(f"median us: {us[-1]:.1f}")
print("== compared ==")
print(f"one program over grid: {us[0] / us[1]:.1f}")
# --8<-- [end:demo]
