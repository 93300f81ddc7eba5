"""12.2.1, proof by recording: every byte that the kernels touch."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "it counts inside the interpreter"
# ///

from contextlib import contextmanager

import numpy as np
import torch
from triton.runtime.interpreter import interpreter_builder as builder

from ch12_elementwise.fma_relu import fused_fma_relu
from ch12_elementwise.three_kernels import chained_fma_relu

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
N = 5000


# --8<-- [start:recorder]
@contextmanager
def recording(events):
    """Append (kind, program, item size, addresses) per access."""
    load = builder.create_masked_load
    store = builder.create_masked_store

    def note(kind, ptrs, mask):
        size = ptrs.get_element_ty().primitive_bitwidth // 8
        events.append(
            (kind, builder.grid_idx[0], size, ptrs.data[mask.data])
        )

    def masked_load(ptrs, mask, *rest):
        note("read", ptrs, mask)
        return load(ptrs, mask, *rest)

    def masked_store(ptrs, value, mask, *rest):
        note("write", ptrs, mask)
        return store(ptrs, value, mask, *rest)

    builder.create_masked_load = masked_load
    builder.create_masked_store = masked_store
    try:
        yield
    finally:  # the class's own methods show through again
        del builder.create_masked_load, builder.create_masked_store
# --8<-- [end:recorder]


# --8<-- [start:report]
def report(fn, x):
    events = []
    with recording(events):
        fn(x, 1.1, -0.3)
    launch, moved = 0, {}
    for kind, program, size, addresses in events:
        if kind == "read" and program == 0:
            launch += 1  # program 0 reads first in each launch
        key = (launch, kind)
        moved[key] = moved.get(key, 0) + size * len(addresses)
    for (launch, kind), size in moved.items():
        print(f"launch {launch} {kind}: {size} bytes")
    total = sum(moved.values())
    tensor = x.numel() * x.element_size()
    touched = np.unique(np.concatenate([e[3] for e in events]))
    print(f"passes over the data: {total / tensor:g}")
    print(f"tensors touched: {len(touched) / x.numel():g}")
    return total


x = torch.randn(N).to(DEVICE)
print(f"elements: {N}")
print(f"bytes of x: {x.numel() * x.element_size()}")
print("== three kernels ==")
chain = report(chained_fma_relu, x)
print("== one fused kernel ==")
fused = report(fused_fma_relu, x)
print("== together ==")
print(f"bytes, chain over fused: {chain / fused:g}")
# --8<-- [end:report]
