"""8.4 on a GPU: two streams, one scratch."""

# /// capture
# runners = ["gpu"]
# ///

import torch

from ch08_allocation.column_sums import partial_sums

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
ROWS_OF_X = 4096
COLS_OF_X = 4
SPLITS = 8

# --8<-- [start:demo]
ones = torch.ones(ROWS_OF_X, COLS_OF_X, device=DEVICE)
twos = 2 * ones


def both(scratch_a, scratch_b):
    """Sums of ones on one stream, of twos on another."""
    out_a = torch.zeros(1, COLS_OF_X, device=DEVICE)
    out_b = torch.zeros(1, COLS_OF_X, device=DEVICE)
    torch.cuda.synchronize()
    a, b = torch.cuda.Stream(), torch.cuda.Stream()
    with torch.cuda.stream(a):
        partial_sums(ones, scratch_a)
        filled = a.record_event()
        torch.cuda._sleep(100_000_000)  # anything that takes time
        partial_sums(scratch_a, out_a)
    with torch.cuda.stream(b):
        b.wait_event(filled)  # so that the story has one ending
        partial_sums(twos, scratch_b)
        partial_sums(scratch_b, out_b)
    torch.cuda.synchronize()
    return out_a[0, 0].item(), out_b[0, 0].item()


print("== two streams ==")
shared = torch.empty(SPLITS, COLS_OF_X, device=DEVICE)
other = torch.empty_like(shared)
both(shared, other)  # the first launch compiles
for name, pair in [
    ("one scratch", (shared, shared)),
    ("two", (shared, other)),
]:
    of_ones, of_twos = both(*pair)
    print(f"{name}, sum of ones: {of_ones}")
    print(f"{name}, sum of twos: {of_twos}")
# --8<-- [end:demo]

print("== what the allocator hands out ==")
# --8<-- [start:pools]
side = torch.cuda.Stream()
first = torch.empty(2**20, device=DEVICE)
address = first.data_ptr()
del first
with torch.cuda.stream(side):
    there = torch.empty(2**20, device=DEVICE)
again = torch.empty(2**20, device=DEVICE)
print(f"on another stream, same bytes: {there.data_ptr() == address}")
print(f"on the same stream, same bytes: {again.data_ptr() == address}")
# --8<-- [end:pools]
