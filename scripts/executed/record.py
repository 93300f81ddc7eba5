"""Record every access to memory that a program's kernels make under Triton's interpreter.

Loaded only in the process that runs a program under the ``replay`` runner. The tracer of triton-viz
records the same and more; it was not taken, because it comes with a web server, a theorem prover, an
Arrow table and a drawing library, and the book needs one line of text an access.

A pointer is followed from the launch's argument through the arithmetic: an address past the end of
a tensor may lie in another one, and which one differs from run to run.
"""

import atexit
import inspect
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import triton.language as tl
from triton.runtime import interpreter
from triton.runtime.interpreter import GridExecutor, InterpretedFunction, TensorHandle

from executed import recording
from executed.recording import MASKED, OUTSIDE, TOUCHED, Event, Lane, Launch, Tensor

_ORIGIN = "executed_origin"
_MIXED = "several tensors"


def start(report_to: str) -> None:
    """Record this process from now on; at its end, write the recording to ``report_to``."""
    recorder = Recorder()
    recorder.install()
    atexit.register(lambda: Path(report_to).write_text(recorder.report(), encoding="utf-8"))


@dataclass
class _Open:
    """The launch that is running."""

    kernel: str
    constants: str
    code: object
    """Of the function that runs: its frame tells the line."""
    first_line: int
    """Of the file, where the kernel's decorators begin."""
    tensors: dict[str, Tensor]
    addresses: dict[str, tuple[int, int]]
    """Name to where the tensor begins, and the bytes of an element."""
    origins: dict[int, str]
    """``id`` of an argument to its name."""


class Recorder:
    """Stands between the interpreter's operations and memory, and takes notes."""

    def __init__(self):
        self.launches: list[Launch] = []
        self.refused: str | None = None
        self._open: _Open | None = None
        self._events: list[Event] = []
        self._counted = [0, 0]
        # Kept alive: freed memory would come back under another tensor.
        self._memories: dict[int, tuple[str, object]] = {}
        self._through: str | None = None
        """The tensor behind the block pointer or descriptor that is being used."""

    def install(self) -> None:
        """Take the place of the builder's operations and of the launcher."""
        builder = interpreter.interpreter_builder
        for name in dir(builder):
            if name.startswith("create_"):
                setattr(builder, name, self._following(getattr(builder, name)))
        for name in ("tensor_pointer_load", "tensor_pointer_store", "descriptor_load", "descriptor_store"):
            setattr(builder, f"create_{name}", self._seeing_through(getattr(builder, f"create_{name}")))
        load, store = builder.create_masked_load, builder.create_masked_store
        rmw, cas, dot = builder.create_atomic_rmw, builder.create_atomic_cas, builder.create_dot

        def masked_load(pointers, mask, *rest, **named):
            self._access("load", pointers, mask)
            return load(pointers, mask, *rest, **named)

        def masked_store(pointers, value, mask, *rest, **named):
            self._access("store", pointers, mask)
            return store(pointers, value, mask, *rest, **named)

        def atomic_rmw(operation, pointers, value, mask, *rest, **named):
            name = operation.name.lower()
            self._access(f"atomic_{'add' if name == 'fadd' else name.removeprefix('u')}", pointers, mask)
            return rmw(operation, pointers, value, mask, *rest, **named)

        def atomic_cas(pointers, *rest, **named):
            self._access("atomic_cas", pointers, None)
            return cas(pointers, *rest, **named)

        def matrix_product(a, b, *rest, **named):
            shapes = ["x".join(map(str, operand.data.shape)) for operand in (a, b)]
            self._note("dot", operands=f"{shapes[0]} by {shapes[1]}")
            return dot(a, b, *rest, **named)

        builder.create_masked_load, builder.create_masked_store = masked_load, masked_store
        builder.create_atomic_rmw, builder.create_atomic_cas = atomic_rmw, atomic_cas
        builder.create_dot = matrix_product
        self._install_launcher()

    def _install_launcher(self) -> None:
        call, prepare, convert = GridExecutor.__call__, GridExecutor._init_args_hst, interpreter._implicit_cvt

        def launch(executor, *args, **kwargs):
            try:
                return call(executor, *args, **kwargs)
            finally:
                self._end()

        def prepared(executor, args, kwargs):
            host = prepare(executor, args, kwargs)
            self._begin(executor, args, kwargs, *host)
            return host

        def converted(arg):
            result = convert(arg)
            name = self._open.origins.get(id(arg)) if self._open else None
            if name is not None and isinstance(getattr(result, "handle", None), TensorHandle):
                result.handle.attr[_ORIGIN] = name
            return result

        GridExecutor.__call__, GridExecutor._init_args_hst = launch, prepared
        interpreter._implicit_cvt = converted

    def _following(self, operation):
        """The same operation; a pointer made of a pointer belongs to the same tensor."""

        def followed(*args, **kwargs):
            result = operation(*args, **kwargs)
            made = result if isinstance(result, tuple) else (result,)
            origins = {a.attr[_ORIGIN] for a in args if isinstance(a, TensorHandle) and _ORIGIN in a.attr}
            for handle in made if origins else ():
                if isinstance(handle, TensorHandle) and isinstance(handle.dtype.scalar, tl.pointer_type):
                    handle.attr[_ORIGIN] = origins.pop() if len(origins) == 1 else _MIXED
                    origins = {handle.attr[_ORIGIN]}
            return result

        return followed

    def _seeing_through(self, operation):
        """The same operation on a block pointer or a descriptor, whose pointers are made inside it."""

        def seen(pointer, *args, **kwargs):
            self._through = pointer.base.attr.get(_ORIGIN)
            try:
                return operation(pointer, *args, **kwargs)
            finally:
                self._through = None

        return seen

    def _begin(self, executor: GridExecutor, args, kwargs, host_args, host_kwargs) -> None:
        original = next(
            (old for old, new in InterpretedFunction.rewritten_fn.items() if new is executor.fn), executor.fn
        )
        try:
            given = inspect.getcallargs(executor.fn, *host_args, **host_kwargs)
            own = inspect.getcallargs(executor.fn, *args, **kwargs)
        except TypeError:
            return  # The launch itself raises it again, for the program to see.
        constants = [f"{name}={_shown(given[name])}" for name in executor.constexprs if name in given]
        self._open = _Open(
            original.__name__, ", ".join(constants), executor.fn.__code__, original.__code__.co_firstlineno, {}, {}, {}
        )
        self._events = []
        variables = _variables()
        for name, value in given.items():
            for path, on_host, passed in _tensors(name, value, own[name]):
                self._add_tensor(path, on_host, variables.get(id(passed)))

    def _add_tensor(self, name: str, value, passed: str | None) -> None:
        tensor = interpreter._unwrap_tensor(value)
        if tensor.numel() > recording.MOST_ELEMENTS:
            self._refuse(f"{name} has {tensor.numel():,} elements; a replay shows at most {recording.MOST_ELEMENTS:,}")
        storage = tensor.untyped_storage()
        key = storage.data_ptr() or -len(self._memories) - 1
        letter, _ = self._memories.setdefault(key, (_letter(len(self._memories)), storage))
        self._open.tensors[name] = Tensor(
            name, letter, str(tensor.dtype).removeprefix("torch."), tuple(tensor.shape) or (1,),
            tuple(tensor.stride()) or (1,), tensor.storage_offset(), passed,
        )
        self._open.addresses[name] = tensor.data_ptr(), tensor.element_size()
        self._open.origins[id(value)] = name

    def _end(self) -> None:
        if self._open is None:
            return
        grid = interpreter.interpreter_builder.grid_dim
        self.launches.append(Launch(
            len(self.launches) + 1, self._open.kernel, self._open.constants, grid[: _axes(grid)],
            tuple(self._open.tensors.values()), tuple(self._events),
        ))
        self._open = None

    def _access(self, kind: str, pointers: TensorHandle, mask) -> None:
        if self._open is None or self.refused:
            return
        addresses = pointers.data.astype(np.int64).reshape(-1)
        name = pointers.attr.get(_ORIGIN) or self._through or self._owner(addresses)
        if name is None or name == _MIXED:
            self._refuse(f"line {self._line()} of {self._open.kernel}: nobody can say which tensor its {kind} means")
            return
        tensor, (begin, size) = self._open.tensors[name], self._open.addresses[name]
        accessed = max(pointers.get_element_ty().primitive_bitwidth // 8, 1)
        if accessed != size:
            self._refuse(
                f"line {self._line()} of {self._open.kernel}: its {kind} takes {accessed} bytes an element, "
                f"but {name} is of {tensor.dtype}"
            )
            return
        active = np.ones(addresses.shape, bool) if mask is None else np.broadcast_to(
            np.asarray(mask.data, dtype=bool), pointers.data.shape
        ).reshape(-1)
        self._counted[1] += len(addresses)
        if self._counted[1] > recording.MOST_LANES:
            self._refuse(f"more than {recording.MOST_LANES:,} lanes access memory; make the example smaller")
            return
        offsets = ((addresses - begin) // size).tolist()
        lanes = tuple(
            Lane(offset, MASKED if not on else TOUCHED if offset in tensor.known else OUTSIDE)
            for offset, on in zip(offsets, active.tolist())
        )
        self._note(kind, name, pointers.data.shape if pointers.data.ndim > 1 else (), lanes)

    def _note(self, kind: str, tensor: str | None = None, block=(), lanes=(), operands: str = "") -> None:
        if self._open is None or self.refused:
            return
        self._counted[0] += 1
        if self._counted[0] > recording.MOST_EVENTS:
            self._refuse(f"it makes more than {recording.MOST_EVENTS:,} accesses; make the example smaller")
            return
        builder = interpreter.interpreter_builder
        program = tuple(builder.grid_idx[: _axes(builder.grid_dim)])
        self._events.append(Event(program, self._line(), kind, tensor, tuple(block), tuple(lanes), operands))

    def _line(self) -> int:
        """The kernel's line that is running; of a function that it calls, the line of the call."""
        frame = sys._getframe()
        while frame.f_code is not self._open.code:
            frame = frame.f_back
        return frame.f_lineno - self._open.first_line + 1

    def _owner(self, addresses: np.ndarray) -> str | None:
        """For a pointer that came out of memory itself: the one tensor that holds all its addresses."""
        for name, (begin, size) in self._open.addresses.items():
            known = self._open.tensors[name].known
            if all((address - begin) // size in known for address in addresses.tolist()):
                return name
        return None

    def _refuse(self, why: str) -> None:
        self.refused = self.refused or why

    def report(self) -> str:
        """All that was recorded, as the text of a capture."""
        if self.refused:
            return f"{recording.REFUSED}{self.refused}\n"
        if not self.launches:
            return f"{recording.REFUSED}it launches no kernel, so there is nothing to replay\n"
        return recording.format_recording(self.launches)


def _tensors(name: str, value, passed) -> Iterator[tuple[str, object, object]]:
    """Every tensor in an argument: its name, itself on the host, and what the program passed."""
    if isinstance(value, tuple):
        fields = getattr(value, "_fields", range(len(value)))
        for field, item, own in zip(fields, value, passed):
            yield from _tensors(f"{name}.{field}" if isinstance(field, str) else f"{name}[{field}]", item, own)
    elif hasattr(value, "data_ptr"):
        yield name, value, passed
    elif hasattr(value, "base") and hasattr(value, "block_shape"):
        yield from _tensors(name, value.base, passed.base)


def _variables() -> dict[int, str]:
    """The variables of the code that launches: ``id`` of each value to its first name."""
    frame = sys._getframe(1)
    while frame.f_back and frame.f_globals.get("__name__", "").partition(".")[0] in ("triton", "executed"):
        frame = frame.f_back
    return {id(value): name for name, value in reversed(list(frame.f_locals.items()))}


def _shown(value) -> str:
    value = getattr(value, "value", value)
    return str(getattr(value, "__name__", value))


def _axes(grid) -> int:
    """How many axes of a grid of three matter."""
    return max((axis + 1 for axis, size in enumerate(grid) if size > 1), default=1)


def _letter(number: int) -> str:
    return chr(ord("A") + number) if number < 26 else f"M{number}"
