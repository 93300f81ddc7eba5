"""9.5.2: a recorder: who loads and stores which element, from which
line, and whether it is one of the tensors that were named."""

# /// capture
# runners = ["interpreter"]
# no_gpu = "It records the interpreter."
# ///

import linecache
import sys
from collections import Counter, namedtuple

import numpy as np
import torch
from triton.runtime import interpreter

from ch05_grids.unmasked import careless_double

DEVICE = "cuda" if torch.cuda.is_available() else "cpu"


# --8<-- [start:recorder]
Event = namedtuple("Event", "kind program line tensor offset inside")


class Recorder:
    """Note every load and store of the kernels that run inside it."""

    def __init__(self, **tensors):
        self.tensors = tensors  # by name; contiguous, on the CPU
        self.events = []
        self.builder = interpreter.interpreter_builder
        # --8<-- [end:recorder]

    # --8<-- [start:install]
    def __enter__(self):
        self.load = self.builder.create_masked_load
        self.store = self.builder.create_masked_store
        self.builder.create_masked_load = self.loading
        self.builder.create_masked_store = self.storing
        return self

    def __exit__(self, *_):
        self.builder.create_masked_load = self.load
        self.builder.create_masked_store = self.store

    def loading(self, pointers, mask, *rest, **named):
        self.note("load", pointers, mask)
        return self.load(pointers, mask, *rest, **named)

    def storing(self, pointers, value, mask, *rest, **named):
        self.note("store", pointers, mask)
        return self.store(pointers, value, mask, *rest, **named)
        # --8<-- [end:install]

    # --8<-- [start:note]
    def note(self, kind, pointers, mask):
        frame = sys._getframe(2)
        while frame.f_globals["__name__"].startswith("triton"):
            frame = frame.f_back  # out of the library, to the kernel
        file, number = frame.f_code.co_filename, frame.f_lineno
        line = linecache.getline(file, number).strip()
        masks = np.broadcast_to(mask.data, pointers.data.shape)
        for address in pointers.data[masks.astype(bool)].tolist():
            program = self.builder.grid_idx[0]
            self.events.append(
                Event(kind, program, line, *self.whose(address))
            )
            # --8<-- [end:note]

    # --8<-- [start:whose]
    def whose(self, address):
        """The tensor that begins last before an address, the element
        of it, and whether it has so many."""
        before = {
            name: address - tensor.data_ptr()
            for name, tensor in self.tensors.items()
            if tensor.data_ptr() <= address
        }
        if not before:
            return "nobody", address, False
        name = min(before, key=before.get)
        tensor = self.tensors[name]
        offset = before[name] // tensor.element_size()
        return name, offset, offset < tensor.numel()
        # --8<-- [end:whose]

    # --8<-- [start:report]
    def report(self):
        """Count accesses by tensor; list those beyond its end."""
        counts = Counter((e.kind, e.tensor) for e in self.events)
        for (kind, tensor), count in counts.items():
            print(f"{kind}s, {tensor}: {count}")
        strays = [e for e in self.events if not e.inside]
        print(f"strays: {len(strays)}")
        for number, e in enumerate(strays):
            place = f"{e.tensor}[{e.offset}]"
            print(f"stray {number}: program {e.program}, {place}")
            print(f"    {e.line}")
            # --8<-- [end:report]


if __name__ == "__main__":
    # --8<-- [start:demo]
    buffer = torch.full((16,), 7.0, device=DEVICE)
    x = torch.arange(1.0, 6.0, device=DEVICE)
    out = buffer[:5]
    for n in (4, 5):
        print(f"== 9.5.2 {n} elements in blocks of 4 ==")
        with Recorder(x=x[:n], out=out[:n]) as recorder:
            careless_double(x[:n], out[:n], block=4)
        recorder.report()
    # --8<-- [end:demo]
