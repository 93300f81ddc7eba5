"""The text of a recording: which program of a launch touched which elements of which tensor.

It is what the capture of a ``replay`` holds. Every access is one line::

    program 2, line 16: load x_ptr 4 ~5

The line counts from the kernel's decorator (1). Offsets stand in the order of the lanes, counted in
elements from where the tensor begins: ``0-7`` a run, ``0-6:2`` one with a step, ``3x8`` eight lanes
on one element. ``~`` marks lanes that the mask switches off, ``!`` lanes outside the tensor.
"""

import functools
import itertools
import math
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

MOST_EVENTS = 4_096
MOST_LANES = 65_536
MOST_ELEMENTS = 65_536
"""Sizes up to which a program is recorded: beyond them nobody could look at the picture."""

MOST_STEPS = 200
MOST_CELLS = 512
MOST_COLUMNS = 32
"""Sizes up to which a page draws what was recorded."""

TOUCHED, MASKED, OUTSIDE = "", "~", "!"
REFUSED = "refused: "
"""What a recording says, instead of anything else, where nothing could be recorded."""

_TITLE = re.compile(r"^== launch (?P<number>\d+): (?P<kernel>\w+)\((?P<constants>.*)\) ==$")
_GRID = re.compile(r"^grid: (?P<grid>[\dx]+)$")
_TENSOR = re.compile(
    r"^tensor (?P<name>\S+): memory (?P<memory>\w+), (?P<dtype>\w+), shape (?P<shape>[\dx]+)"
    r"(?:, strides (?P<strides>[\dx]+))?(?:, from element (?P<start>\d+))?(?:, passed as (?P<passed>\w+))?$"
)
_EVENT = re.compile(r"^program (?P<program>\d+(?:,\d+)*), line (?P<line>\d+): (?P<kind>\w+) (?P<rest>.+)$")
_BLOCK = re.compile(r"^\[(?P<block>[\dx]+)\] ")
_RUN = re.compile(
    r"^(?P<state>[~!]?)(?P<first>-?\d+)(?:-(?P<last>-?\d+)(?::(?P<step>-?\d+))?|x(?P<times>\d+))?$"
)


class RecordingError(Exception):
    """A text that is no recording; the message names the line."""


class Lane(NamedTuple):
    """One lane of one access."""

    offset: int
    """In elements, from where the tensor begins."""
    state: str = TOUCHED


@dataclass(frozen=True)
class Tensor:
    """A tensor that a launch was given, as the kernel sees it."""

    name: str
    """The kernel's argument."""
    memory: str
    """The same letter where two tensors lie in the same memory."""
    dtype: str
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    start: int = 0
    """At which element of its memory it begins."""
    passed: str | None = None
    """The variable that the launching code passed, where it has a name there."""

    @functools.cached_property
    def offsets(self) -> tuple[int, ...]:
        """The offset of each element, in the order of their indices."""
        ranges = [range(0, size * stride, stride) if stride else [0] * size for size, stride in zip(self.shape, self.strides)]
        return tuple(map(sum, itertools.product(*ranges)))

    @functools.cached_property
    def known(self) -> frozenset[int]:
        """The offsets that are elements of the tensor."""
        return frozenset(self.offsets)


@dataclass(frozen=True)
class Event:
    """One access of one program, or one ``tl.dot``."""

    program: tuple[int, ...]
    line: int
    """Of the kernel; 1 is its decorator."""
    kind: str
    """``load``, ``store``, ``atomic_add`` and its like, ``dot``."""
    tensor: str | None
    """Name of the argument; None for a dot, which touches no memory."""
    block: tuple[int, ...] = ()
    """Shape of the block of lanes, where it has more than one axis."""
    lanes: tuple[Lane, ...] = ()
    operands: str = ""
    """For a dot: the shapes that it multiplies."""

    @property
    def writes(self) -> bool:
        return self.kind == "store" or self.is_atomic

    @property
    def is_atomic(self) -> bool:
        return self.kind.startswith("atomic_")

    def offsets(self, state: str = TOUCHED) -> list[int]:
        """The offsets of the lanes in one state, in lane order."""
        return [lane.offset for lane in self.lanes if lane.state == state]


@dataclass(frozen=True)
class Launch:
    """One launch of a kernel, and every access in the order in which it happened."""

    number: int
    kernel: str
    constants: str
    """Its constexpr values, as ``BLOCK=2``."""
    grid: tuple[int, ...]
    tensors: tuple[Tensor, ...]
    events: tuple[Event, ...]

    @property
    def title(self) -> str:
        return f"launch {self.number}: {self.kernel}({self.constants})"

    @property
    def programs(self) -> int:
        return math.prod(self.grid)

    def tensor(self, name: str) -> Tensor:
        return next(tensor for tensor in self.tensors if tensor.name == name)

    @functools.cached_property
    def conflicts(self) -> dict[tuple[str, int], int]:
        """Elements that two programs store: memory and place in it, to the event that made it two.

        Atomics among themselves are none; an atomic and a store are.
        """
        writers: dict[tuple[str, int], set[tuple[tuple[int, ...], bool]]] = {}
        found: dict[tuple[str, int], int] = {}
        for number, event in enumerate(self.events):
            if not event.writes:
                continue
            tensor = self.tensor(event.tensor)
            for lane in event.lanes:
                if lane.state == MASKED:
                    continue
                place = (tensor.memory, tensor.start + lane.offset)
                others = writers.setdefault(place, set())
                if any(who != event.program and not (atomic and event.is_atomic) for who, atomic in others):
                    found.setdefault(place, number)
                others.add((event.program, event.is_atomic))
        return found

    def totals(self) -> dict[str, int]:
        """What a page may quote of it, by label."""
        def lanes(events: Iterable[Event], *states: str) -> int:
            return sum(lane.state in states for event in events for lane in event.lanes)

        active = (TOUCHED, OUTSIDE)
        found = {
            "elements loaded": lanes((e for e in self.events if e.kind == "load"), *active),
            "elements stored": lanes((e for e in self.events if e.kind == "store"), *active),
            "elements updated": lanes((e for e in self.events if e.is_atomic), *active),
            "lanes masked in loads": lanes((e for e in self.events if not e.writes), MASKED),
            "lanes masked in stores": lanes((e for e in self.events if e.writes), MASKED),
            "lanes out of bounds": lanes(self.events, OUTSIDE),
            "elements in conflict": len(self.conflicts),
        }
        return {label: count for label, count in found.items() if count or label != "elements updated"}


def format_recording(launches: Sequence[Launch]) -> str:
    """Write a recording; ``parse`` reads it back."""
    return "".join(f"{line}\n" for launch in launches for line in _lines(launch))


def _lines(launch: Launch) -> Iterator[str]:
    yield f"== {launch.title} =="
    yield f"grid: {_by(launch.grid)}"
    for tensor in launch.tensors:
        strides = "" if tensor.strides == contiguous(tensor.shape) else f", strides {_by(tensor.strides)}"
        start = f", from element {tensor.start}" if tensor.start else ""
        passed = f", passed as {tensor.passed}" if tensor.passed else ""
        yield (
            f"tensor {tensor.name}: memory {tensor.memory}, {tensor.dtype}, "
            f"shape {_by(tensor.shape)}{strides}{start}{passed}"
        )
    for event in launch.events:
        block = f"[{_by(event.block)}] " if len(event.block) > 1 else ""
        rest = event.operands if event.tensor is None else f"{event.tensor} {block}{compressed(event.lanes)}"
        yield f"program {','.join(map(str, event.program))}, line {event.line}: {event.kind} {rest}"
    for label, count in launch.totals().items():
        yield f"{label}: {count}"


def parse(text: str) -> list[Launch]:
    """Read a recording. Raises ``RecordingError``."""
    if text.startswith(REFUSED):
        raise RecordingError(text.removeprefix(REFUSED).strip())
    pieces: list[list[tuple[int, str]]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        if _TITLE.match(line):
            pieces.append([])
        if line and not pieces:
            raise RecordingError(f"line {number} of the recording: {line!r} stands before any launch")
        if line:
            pieces[-1].append((number, line))
    launches = [_launch(piece) for piece in pieces]
    if not launches:
        raise RecordingError("the recording holds no launch")
    if format_recording(launches) != text:
        raise RecordingError("the recording does not say what its accesses add up to")
    return launches


def _launch(lines: list[tuple[int, str]]) -> Launch:
    title = _TITLE.match(lines[0][1])
    grid: tuple[int, ...] = ()
    tensors: list[Tensor] = []
    events: list[Event] = []
    for number, line in lines[1:]:
        if match := _EVENT.match(line):
            try:
                events.append(_event(match, {tensor.name for tensor in tensors}))
            except ValueError as error:
                raise RecordingError(f"line {number} of the recording: {line!r}: {error}") from None
        elif match := _TENSOR.match(line):
            shape = _sizes(match["shape"])
            strides = _sizes(match["strides"]) if match["strides"] else contiguous(shape)
            tensors.append(Tensor(
                match["name"], match["memory"], match["dtype"], shape, strides, int(match["start"] or 0), match["passed"]
            ))
        elif match := _GRID.match(line):
            grid = _sizes(match["grid"])
        elif not re.match(r"^(?:elements|lanes) [\w ]+: \d+$", line):
            raise RecordingError(f"line {number} of the recording: {line!r} is no line of one")
    return Launch(int(title["number"]), title["kernel"], title["constants"], grid, tuple(tensors), tuple(events))


def _event(match: re.Match, names: set[str]) -> Event:
    program = tuple(map(int, match["program"].split(",")))
    if match["kind"] == "dot":
        return Event(program, int(match["line"]), "dot", None, operands=match["rest"])
    name, _, rest = match["rest"].partition(" ")
    if name not in names:
        raise ValueError(f"{name} is no tensor of this launch")
    block = _BLOCK.match(rest)
    lanes = _lanes(rest[block.end() :] if block else rest)
    return Event(program, int(match["line"]), match["kind"], name, _sizes(block["block"]) if block else (), lanes)


def check_size(launches: Sequence[Launch]) -> None:
    """Refuse what a page has no room for. Raises ``RecordingError``."""
    steps = sum(len(launch.events) for launch in launches)
    if steps > MOST_STEPS:
        raise RecordingError(f"{steps} accesses are too many to draw ({MOST_STEPS}); choose fewer launches")
    for launch in launches:
        for tensor in launch.tensors:
            cells, wide = len(tensor.offsets), len(tensor.shape) > 1 and tensor.shape[-1] > MOST_COLUMNS
            if cells > MOST_CELLS or wide:
                raise RecordingError(
                    f"{launch.title}: {tensor.name} of shape {_by(tensor.shape)} is too large to draw "
                    f"({MOST_CELLS} elements, {MOST_COLUMNS} columns)"
                )


def compressed(lanes: Iterable[Lane]) -> str:
    """Lanes as runs: one state, one step from each offset to the next."""
    waiting, runs = list(lanes), []
    position = 0
    while position < len(waiting):
        first, state = waiting[position]
        end = position + 1
        step = None
        while end < len(waiting) and waiting[end].state == state:
            gap = waiting[end].offset - waiting[end - 1].offset
            if step not in (None, gap):
                break
            step, end = gap, end + 1
        if end - position == 2 and step not in (0, 1) and end < len(waiting):
            end -= 1  # Two that lie apart are no run; the second may begin one.
        count, last = end - position, waiting[end - 1].offset
        if count == 1:
            run = f"{first}"
        elif step == 0:
            run = f"{first}x{count}"
        else:
            run = f"{first}-{last}" + ("" if step == 1 else f":{step}")
        runs.append(state + run)
        position = end
    return " ".join(runs)


def _lanes(text: str) -> tuple[Lane, ...]:
    lanes: list[Lane] = []
    for run in text.split(" "):
        match = _RUN.match(run)
        if match is None:
            raise ValueError(f"{run!r} is no run of offsets")
        first, last, step = int(match["first"]), int(match["last"] or match["first"]), int(match["step"] or 1)
        if step == 0 or (last - first) % step or (last - first) // step < 0:
            raise ValueError(f"{run!r} never arrives")
        count = int(match["times"] or (last - first) // step + 1)
        if len(lanes) + count > MOST_LANES:
            raise ValueError(f"more than {MOST_LANES:,} lanes")
        offsets = [first] * count if match["times"] else range(first, first + count * step, step)
        lanes += [Lane(offset, match["state"]) for offset in offsets]
    return tuple(lanes)


def contiguous(shape: Sequence[int]) -> tuple[int, ...]:
    """The strides of a tensor whose elements lie side by side."""
    return tuple(math.prod(shape[axis + 1 :]) for axis in range(len(shape)))


def _by(sizes: Sequence[int]) -> str:
    return "x".join(map(str, sizes))


def _sizes(text: str) -> tuple[int, ...]:
    return tuple(map(int, text.split("x")))
