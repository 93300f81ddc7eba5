"""10.1.2 on a GPU: where the time of a first launch goes."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "* ms" = { kind = "measured", within = 0.6 }
# ///

import time

import torch
import triton

from ch12_elementwise.fma_relu import fma_relu_kernel

DEVICE = "cuda"


# --8<-- [start:demo]
def milliseconds(call):
    torch.cuda.synchronize()
    start = time.perf_counter()
    result = call()
    torch.cuda.synchronize()
    return 1000 * (time.perf_counter() - start), result


events = []
triton.knobs.compilation.listener = lambda **event: events.append(event)


def report(title, kernel, n):
    """Compile, load and launch kernel, each by itself."""
    x = torch.ones(n, device=DEVICE)
    out = torch.empty_like(x)
    arguments = (x, out, 2.0, 1.0, n)
    grid = (triton.cdiv(n, 1024),)
    compiling, compiled = milliseconds(
        lambda: kernel.warmup(*arguments, BLOCK=1024, grid=grid)
    )
    loading, _ = milliseconds(lambda: compiled.run)
    first, _ = milliseconds(
        lambda: kernel[grid](*arguments, BLOCK=1024)
    )
    second, _ = milliseconds(
        lambda: kernel[grid](*arguments, BLOCK=1024)
    )
    event = events.pop()
    times = event["times"]
    print(f"== {title} ==")
    print(f"from disk: {event['cache_hit']}")
    steps = [("tracing", times.ir_initialization)]
    for stage, microseconds in times.lowering_stages:
        steps.append((stage, microseconds))
    steps.append(("writing to disk", times.store_results))
    for step, microseconds in steps:
        print(f"{step} ms: {microseconds / 1000:.2f}")
    print(f"compile, all in all ms: {compiling:.2f}")
    print(f"load cubin and launcher ms: {loading:.2f}")
    print(f"launch, kernel done ms: {first:.3f}")
    print(f"launch again, kernel done ms: {second:.3f}")
    print(f"right: {torch.equal(out, torch.full_like(x, 3.0))}")


report("first kernel of the process", fma_relu_kernel, 4096)
report("the same with n 4097", fma_relu_kernel, 4097)
again = triton.jit(fma_relu_kernel.fn)  # nothing in memory
report("n 4096 again, from disk", again, 4096)
# --8<-- [end:demo]
