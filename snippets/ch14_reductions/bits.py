"""14.3.1: the bits of one sum, by BLOCK and by num_warps, and the
order of the compiled additions rebuilt with torch."""

# /// capture
# differs = "NumPy adds a block in an order of its own"
# ///

import torch

from ch14_reductions.block_sum import block_sum
from ch14_reductions.sum_rows import DEVICE, sum_rows


# --8<-- [start:bits]
def bits(value):
    """Sign, exponent and fraction of one float32."""
    pattern = value.view(torch.int32).item() & 0xFFFFFFFF
    digits = f"{pattern:032b}"
    return f"{digits[0]} {digits[1:9]} {digits[9:]}"
# --8<-- [end:bits]


# --8<-- [start:order]
def halves(x):
    """Add the second half of the last axis to the first, and again."""
    while x.shape[-1] > 1:
        half = x.shape[-1] // 2
        x = x[..., :half] + x[..., half:]
    return x[..., 0]


def in_compiled_order(row, warps):
    """A power of two of float32, as a block of as many lanes."""
    threads = min(32 * warps, row.numel())
    vector = min(4, row.numel() // threads)  # of one load
    pieces = row.reshape(-1, threads, vector)
    mine = pieces.transpose(0, 1).reshape(threads, -1)
    total = mine[:, 0]
    for i in range(1, mine.shape[1]):  # a thread, one by one
        total = total + mine[:, i]
    total = halves(total.reshape(-1, min(threads, 32)))  # a warp
    return halves(total)  # the warps of the program
# --8<-- [end:order]


if __name__ == "__main__":
    # --8<-- [start:show]
    torch.manual_seed(0)
    u = 2.0 * torch.rand(1, 1024) - 1.0  # the same on every machine
    row = u * u * u
    x = row.to(DEVICE)
    exact = row.double().sum()
    print("== 14.3.1 by BLOCK, four warps ==")
    for block in (1, 2, 8, 32, 128, 1024):
        total = sum_rows(x, (1, block), num_warps=4).cpu()
        print(f"BLOCK {block}: {bits(total)}")
    print(f"exact, rounded once: {bits(exact.float())}")
    print("== 14.3.1 by num_warps, BLOCK 1024 ==")
    for warps in (1, 2, 4, 8, 16):
        total = block_sum(x, num_warps=warps).cpu()
        print(f"num_warps {warps}: {bits(total)}")
    # --8<-- [end:show]
    # --8<-- [start:compare]
    print("== 14.3.2 the order, rebuilt ==")
    for warps in (1, 2, 4, 8, 16):
        kernel = block_sum(x, num_warps=warps).cpu()[0]
        rebuilt = in_compiled_order(row[0], warps)
        print(f"num_warps {warps}, rebuilt: {bits(rebuilt)}")
        print(f"num_warps {warps}, same bits: {kernel == rebuilt}")
    numpy = torch.tensor(row[0].numpy().sum())
    print(f"numpy: {bits(numpy)}")
    # --8<-- [end:compare]
