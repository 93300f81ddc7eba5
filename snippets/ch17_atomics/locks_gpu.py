"""17.4 on a GPU: a lock opened too early, what a lock costs, and
programs that meet at a counter."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "*, launches with a wrong sum" = { kind = "bound", limit = 100 }
# "*, wrong elements" = { kind = "bound", limit = 2000000 }
# "*, gave up" = { kind = "bound", limit = 100000 }
# "* ms" = { kind = "measured", within = 0.5 }
# ///

import torch
import triton
import triton.language as tl
import triton.testing

from ch17_atomics.lock import add_rows

LAUNCHES = 100


def median_ms(fn):
    return triton.testing.do_bench(
        fn, warmup=10, rep=40, quantiles=[0.5, 0.2, 0.8]
    )[0]


# --8<-- [start:barrier]
for cols, warps in [(8192, 16), (16384, 4)]:
    print(f"== rows of {cols}, {warps} warps ==")
    x = torch.ones(1000, cols, device="cuda")  # whole: exact
    print(f"launches each: {LAUNCHES}")
    for barrier in (True, False):
        for sem in ("release", "relaxed"):
            bad = [
                (add_rows(x, barrier, sem, warps) != 1000).sum().item()
                for _ in range(LAUNCHES)
            ]
            name = f"{'barrier' if barrier else 'no barrier'}, {sem}"
            launches = sum(wrong > 0 for wrong in bad)
            print(f"{name}, launches with a wrong sum: {launches}")
            print(f"{name}, wrong elements: {sum(bad)}")
    ms = median_ms(lambda: add_rows(x, num_warps=warps))
    print(f"under a lock ms: {ms:.3f}")
    ms = median_ms(lambda: x.sum(0))
    print(f"torch.sum ms: {ms:.3f}")
# --8<-- [end:barrier]


# --8<-- [start:meet]
@triton.jit
def meet_kernel(
    arrived_ptr,  # address of one int32, 0 before
    gave_up_ptr,  # address of one int32, 0 before
    patience,  # how often a program looks
):
    tl.atomic_add(arrived_ptr, 1, sem="release")
    everybody = tl.num_programs(0)
    arrived = tl.atomic_add(arrived_ptr, 0, sem="acquire")
    looks = 1
    while (arrived < everybody) & (looks < patience):
        arrived = tl.atomic_add(arrived_ptr, 0, sem="acquire")
        looks += 1
    if arrived < everybody:
        tl.atomic_add(gave_up_ptr, 1)


def meet(programs, patience=3000, **options):
    """How many programs did not see all others arrive."""
    counters = torch.zeros(8, dtype=torch.int32, device="cuda")
    meet_kernel[(programs,)](
        counters, counters[4:], patience, num_warps=32, **options
    )
    return counters[4].item()


# --8<-- [end:meet]
print("== programs that meet ==")
# --8<-- [start:meeting]
chip = torch.cuda.get_device_properties("cuda")
room = chip.multi_processor_count * 2  # of 1024 threads, 2 in each
print(f"programs that fit: {room}")
for name, programs in [
    ("two", 2),
    ("as many as fit", room),
    ("one more", room + 1),
    ("four times as many", 4 * room),
]:
    print(f"{name}, programs: {programs}")
    print(f"{name}, gave up: {meet(programs)}")
fits = [("as many as fit", room), ("one more", room + 1)]
for name, programs in fits:
    try:
        alone = meet(programs, launch_cooperative_grid=True)
        print(f"{name}, cooperative: {alone} gave up")
    except RuntimeError as error:
        print(f"{name}, cooperative: {error}")
# --8<-- [end:meeting]
