"""19.4: the kernels of chapters 14 and 17 under the roof."""

# /// capture
# runners = ["gpu"]
# timeout = 120
# [labels]
# "copy TB/s" = { kind = "measured", within = 0.15 }
# "* TOP/s" = { kind = "measured", within = 0.25 }
# "ch*" = { kind = "measured", within = 0.3 }
# "* of its roof" = { kind = "measured", within = 0.3 }
# ///

import torch
import triton

from ch14_reductions.argmax_rows import argmax_rows
from ch14_reductions.block_sum import block_sum_kernel
from ch14_reductions.cumsum_rows import cumsum_rows
from ch14_reductions.logsumexp_rows import logsumexp_rows
from ch14_reductions.recurrence import recurrence
from ch14_reductions.scan_all import scan_all
from ch14_reductions.sum_all import sum_all
from ch14_reductions.sum_columns import sum_columns
from ch14_reductions.sum_rows import sum_rows
from ch14_reductions.tree_each_turn import tree_each_turn
from ch14_reductions.welford_rows import welford_rows
from ch17_atomics.atomic_sum import sum_atomic
from ch17_atomics.histogram import count_blocks, count_each
from ch17_atomics.last import sum_last
from ch17_atomics.lock import add_rows
from ch17_atomics.smooth import smooth_kernel
from ch19_benchmarking.roofline import roof, show_points, time_ms

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


def smooth_both(x):
    """Odd elements from even ones, then even ones from odd ones."""
    n = x.numel()
    grid = (triton.cdiv(n // 2, 1024),)
    for first in (1, 2):
        smooth_kernel[grid](x, x, n, first, STEP=2, BLOCK=1024)


# --8<-- [start:cases]
def cases(n):
    """Name, operations, bytes, tensor cores?, launch; n elements."""
    cols = 8192
    x = torch.randn(n, device=DEVICE)
    bins = torch.randint(0, 256, (n,), device=DEVICE).int()
    table = x.view(-1, cols).bfloat16()
    some = n // 32
    few = x[:some].view(-1, min(some, 16384))
    sums = torch.empty(n // cols, device=DEVICE)
    share, more = torch.rand(2, n // cols, cols, device=DEVICE)
    return [
        # bfloat16 in, and one result a row: 2 bytes an element
        ("ch14.sum_rows_kernel", n, 2 * n, False,
         lambda: sum_rows(table)),
        ("ch14.block_sum_kernel", n, 2 * n, False,
         lambda: block_sum_kernel[(n // cols,)](
             table, sums, cols, cols, BLOCK=cols)),
        ("ch14.tree_each_turn_kernel", n, 2 * n, False,
         lambda: tree_each_turn(table)),
        # a comparison and a choice
        ("ch14.argmax_rows_kernel", 2 * n, 2 * n, False,
         lambda: argmax_rows(table)),
        # maximum, difference, exponential, sum
        ("ch14.logsumexp_rows_kernel", 4 * n, 2 * n, False,
         lambda: logsumexp_rows(table)),
        # two differences, two multiply-adds
        ("ch14.welford_rows_kernel", 6 * n, 2 * n, False,
         lambda: welford_rows(table)),
        ("ch14.cumsum_rows_kernel", n, 4 * n, False,
         lambda: cumsum_rows(table)),
        # float32: a, b and h
        ("ch14.recurrence_kernel", 2 * n, 12 * n, False,
         lambda: recurrence(share, more)),
        ("ch14.sum_parts_kernel", n, 2 * n, False,
         lambda: sum_all(table)),
        ("ch14.sum_columns_kernel", n, 2 * n, False,
         lambda: sum_columns(table)),
        ("ch14.scan_blocks_kernel", n, 4 * n, False,
         lambda: scan_all(table)),
        # float32 or int32 in
        ("ch17.sum_atomic_kernel", n, 4 * n, False,
         lambda: sum_atomic(x)),
        ("ch17.sum_last_kernel", n, 4 * n, False,
         lambda: sum_last(x)),
        # an atomic for each element, on 1024 copies of the counts
        ("ch17.count_each_kernel", n, 4 * n, False,
         lambda: count_each(bins, 256, 1024)),
        ("ch17.count_blocks_kernel", n, 4 * n, False,
         lambda: count_blocks(bins, 256)),
        # every row under one lock
        ("ch17.add_rows_kernel", some, 4 * some, False,
         lambda: add_rows(few)),
        # a sum and a product for each element, in place
        ("ch17.smooth_kernel", 2 * n, 8 * n, False,
         lambda: smooth_both(x)),
    ]  # fmt: skip
# --8<-- [end:cases]


if __name__ == "__main__":
    torch.manual_seed(0)
    n = 2**27
    copy, peak, _ = show_points({"chapters 14 and 17": cases(n)})
    print("== bytes that nobody moves ==")
    # --8<-- [start:above]
    a, b = torch.rand(2, n // 8192, 8192, device=DEVICE)
    for name, other in (("a and b", b), ("a and a", a)):
        ms = time_ms(lambda: recurrence(a, other))
        rate = 2 * n / ms / 1e9
        part = rate / roof(2 / 12, copy, peak)
        print(f"{name} of its roof: {part:.2f}")
    # --8<-- [end:above]
