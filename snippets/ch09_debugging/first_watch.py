"""9.5.1: the first step to a recorder: stand between a store and
memory, and print the addresses that go by."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "It watches the interpreter."
# ///

import torch
from triton.runtime import interpreter

from ch05_grids.unmasked import careless_double

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"

# --8<-- [start:watch]
buffer = torch.full((16,), 7.0, device=DEVICE)
out = buffer[:5]
builder = interpreter.interpreter_builder
store = builder.create_masked_store


def watched(pointers, value, mask, *rest):
    offsets = (pointers.data - out.data_ptr()) // out.element_size()
    print(
        f"program {builder.grid_idx[0]}: "
        f"out + {offsets}, mask {mask.data}"
    )
    return store(pointers, value, mask, *rest)


builder.create_masked_store = watched
careless_double(torch.arange(1.0, 6.0, device=DEVICE), out, block=4)
builder.create_masked_store = store
print("buffer:", buffer.tolist())
# --8<-- [end:watch]
