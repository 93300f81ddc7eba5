"""20.1: how the programs of this chapter take time and memory: a step
is forward and backward, on inputs that were made just before."""

# /// capture
# runners = ["gpu"]
# [labels]
# "copy ms" = { kind = "measured", within = 0.3 }
# "clone MiB" = { kind = "measured", within = 0.01 }
# ///

import statistics

import torch
import torch._inductor.config

torch._inductor.config.compile_threads = 4  # processes, not one a core
FLUSH = 2**28  # bytes: more than the second level cache
HEAD_START = 2_000_000  # cycles, a millisecond: more than launches take


# --8<-- [start:measure]
def median_ms(fn, prepare=tuple, reps=30, warmup=5):
    """Median of fn(*prepare()); what prepare does is not timed, and
    the cache holds none of it. Nor does the device wait for the
    host, while fn takes less than HEAD_START to queue."""
    flush = torch.empty(FLUSH, dtype=torch.int8, device="cuda")
    times = []
    for rep in range(warmup + reps):
        args = prepare()
        first, last = (
            torch.cuda.Event(enable_timing=True) for _ in range(2)
        )
        flush.zero_()
        torch.cuda._sleep(HEAD_START)  # the host gets ahead
        first.record()
        fn(*args)
        last.record()
        del args
        times.append((first, last))
    torch.cuda.synchronize()
    times = [a.elapsed_time(b) for a, b in times[warmup:]]
    return statistics.median(times)


def peak_mib(fn, prepare=tuple):
    """The most memory that fn(*prepare()) adds to what is there."""
    args = prepare()
    torch.cuda.synchronize()
    torch.cuda.reset_peak_memory_stats()
    before = torch.cuda.memory_allocated()
    fn(*args)
    torch.cuda.synchronize()
    peak = torch.cuda.max_memory_allocated()
    return (peak - before) / 2**20
# --8<-- [end:measure]


# --8<-- [start:liger]
def liger(module, name):
    """A name of Liger-Kernel, the library that we compare with."""
    import importlib

    try:
        return getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise SystemExit(
            f"{error}: this program compares with Liger-Kernel; "
            "pip install liger-kernel==0.8.5"
        ) from error


def liger_version():
    from importlib.metadata import version

    return version("liger-kernel")
# --8<-- [end:liger]


# --8<-- [start:contest]
def contest(ways, truth, inputs, grads, passes, copy, frees=()):
    """Each way forward, and forward with backward: ms, memory, and
    whether it is right; passes: of the forward, of the backward,
    where a copy is two."""
    leaves = [x.detach().requires_grad_() for x in inputs]

    def prepare():
        return [x.clone() for x in leaves], [g.clone() for g in grads]

    def forward(given, _):
        with torch.no_grad():
            return way(*given)

    def step(given, grads):
        out = way(*given)
        return torch.autograd.grad(out, leaves, grads)

    ms = {}
    for name, way in ways.items():
        found = step(*prepare())
        for k, (a, b) in enumerate(zip(found, truth)):
            error = (a[: len(b)].float() - b).norm() / b.norm()
            print(f"{name} gradient {k} relative error: {error:.1e}")
        del found
        ms[name] = [median_ms(fn, prepare) for fn in (forward, step)]
        limits = passes[0] * copy / 2, sum(passes) * copy / 2
        for what, time, limit in zip(
            ("forward", "step"), ms[name], limits
        ):
            print(f"{name} {what} ms: {time:.4f}")
            print(f"{name} {what} of its passes: {limit / time:.3f}")
        print(f"{name} step peak MiB: {peak_mib(step, prepare):.0f}")
    for k, what in enumerate(("forward", "step")):
        ours = min(t[k] for n, t in ms.items() if "kernel" in n)
        best = min(t[k] for n, t in ms.items() if "kernel" not in n)
        print(f"{what}, kernel over the fastest: {best / ours:.2f}")
# --8<-- [end:contest]


if __name__ == "__main__":
    # --8<-- [start:demo]
    x = torch.randn(16384, 8192, device="cuda").bfloat16()
    y = torch.empty_like(x)
    print(f"copy ms: {median_ms(lambda: y.copy_(x)):.4f}")
    print(f"clone MiB: {peak_mib(lambda: x.clone()):.0f}")
    # --8<-- [end:demo]
