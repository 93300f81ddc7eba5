"""3.2 to 3.4: how many 32-byte sectors lie under 32 neighbouring
elements, counted from the addresses that the kernels use."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "it records addresses inside the interpreter"
# ///

from contextlib import contextmanager

import numpy as np
import torch
from triton.runtime.interpreter import interpreter_builder as builder

from ch03_layout.interleaved import copy_with, interleaved_copy_kernel
from ch03_layout.records import (
    energy,
    energy_of_records,
    one_field,
)
from ch03_layout.strided import every
from ch03_layout.transpose import naive_transpose, tiled_transpose

# --8<-- [start:recorder]
SECTOR = 32  # bytes
WARP = 32  # lanes


@contextmanager
def addresses_of(seen):
    """Note the active lanes' addresses at each load and store."""
    load = builder.create_masked_load
    store = builder.create_masked_store

    def masked_load(ptrs, mask, *rest):
        seen["load"].append(ptrs.data[mask.data])
        return load(ptrs, mask, *rest)

    def masked_store(ptrs, value, mask, *rest):
        seen["store"].append(ptrs.data[mask.data])
        return store(ptrs, value, mask, *rest)

    builder.create_masked_load = masked_load
    builder.create_masked_store = masked_store
    try:
        yield
    finally:  # the class's own methods show through again
        del builder.create_masked_load, builder.create_masked_store
# --8<-- [end:recorder]


# --8<-- [start:count]
def per_access(blocks):
    """Mean number of sectors under 32 neighbours of a block."""
    counts = [
        len(np.unique(lanes // SECTOR))
        for block in blocks
        for lanes in np.split(block, range(WARP, len(block), WARP))
    ]
    return sum(counts) / len(counts)


def waste(blocks):
    """Bytes in all sectors touched, for each byte that is used."""
    used = np.unique(np.concatenate(blocks))
    sectors = np.unique(used // SECTOR)
    return len(sectors) * SECTOR / (len(used) * 4)  # float32


def report(name, fn):
    seen = {"load": [], "store": []}
    with addresses_of(seen):
        fn()
    for kind, blocks in seen.items():
        print(f"{name}, {kind}, sectors: {per_access(blocks):g}")
        print(f"{name}, {kind}, waste: {waste(blocks):g}")
# --8<-- [end:count]


# --8<-- [start:cases]
x = torch.randn(32 * 1024)
print("== strided reads ==")
for stride in (1, 2, 4, 8, 16, 32):
    part = x[: 1024 * stride]
    report(f"stride {stride}", lambda: every(part, stride))
report("shifted by 1", lambda: every(x[1:1025], 1))
report(
    "interleaved",
    lambda: copy_with(interleaved_copy_kernel, x, block=1024),
)

print("== particles ==")
records = torch.randn(1024, 4)
columns = records.T.contiguous().T
report("records, one field", lambda: one_field(records, 0))
report("columns, one field", lambda: one_field(columns, 0))
report("records, energy", lambda: energy(records))
report("columns, energy", lambda: energy(columns))
report("whole records", lambda: energy_of_records(records))

print("== transpose ==")
matrix = torch.randn(64, 64)
report("naive", lambda: naive_transpose(matrix, block=64))
report("tiled", lambda: tiled_transpose(matrix, tile=64))
# --8<-- [end:cases]
