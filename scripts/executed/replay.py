"""Draw a recording: which program touched which element, step by step.

A cell knows what it looks like at every step, so that the pictures drawn here and those that
``docs/javascripts/replay.js`` shows come of the same list. Without the script a page has the first
picture, the last, and a table of all steps.
"""

import ast
import html
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from executed.context import Context, complaint
from executed.directives import Call
from executed.evidence import badge, foot
from executed.recording import MASKED, OUTSIDE, TOUCHED, Event, Launch, Tensor
from executed.resolve import captures, replayed, snippet_of

CELL = 28
COLUMNS = 16
"""Cells on a line of a tensor of one axis."""
WIDTH = 488
"""Room for tensors side by side, in units of the picture."""
PALETTE = 6
"""Colours for programs; their ids stand in the cells, so that nothing depends on telling them apart."""
_MOST_STRAYS = 16
"""Cells drawn outside a tensor; the rest is in the table."""
_BORDER, _BETWEEN, _LABEL, _TICKS, _HEADING, _MARGIN = 8, 20, 19, 13, 30, 2


@dataclass(frozen=True)
class Step:
    """One access, as a picture and a table tell it."""

    number: int
    launch: Launch
    index: int
    """Of its event in the launch."""
    event: Event

    @property
    def line(self) -> str:
        """Names the line of the source that it comes from."""
        return f"{self.launch.kernel}-{self.event.line}"

    @property
    def program(self) -> str:
        return ",".join(map(str, self.event.program))

    @property
    def colour(self) -> str:
        number = 0
        for index, size in zip(self.event.program, self.launch.grid):
            number = number * size + index
        return f"p{number % PALETTE}"


@dataclass
class Cell:
    """One element of a tensor, or one place beside it, and what happens there."""

    x: int
    y: int
    inside: bool
    changes: list[tuple[int, str, str]] = field(default_factory=list)
    """From a step on: the classes of the cell, and the program id in it."""
    steps: list[int] = field(default_factory=list)
    """The steps that access it, or would without the mask."""
    lines: dict[str, None] = field(default_factory=dict)

    def at(self, step: int) -> tuple[str, str]:
        """Its classes and its text after a step."""
        kinds, text = "", ""
        for since, kind, program in self.changes:
            if since <= step:
                kinds, text = kind, program
        base = "replay__cell" if self.inside else "replay__cell stray"
        now = "now" if step in self.steps else ""
        return " ".join(filter(None, (base, kinds, now))), text

    def take(self, step: Step, kinds: str, *, stays: bool) -> None:
        """Look like ``kinds`` from a step on, or only for that step."""
        before = self.changes[-1] if self.changes else None
        wrong = {"outside", "conflict"} & set(kinds.split())
        self.changes.append((step.number, f"{kinds} {step.colour}", step.program + "!" * bool(wrong)))
        if not stays and before is not None:
            self.changes.append((step.number + 1, *before[1:]))


@dataclass(frozen=True)
class Picture:
    """Everything of a drawing but the step that it shows."""

    width: int
    height: int
    fixed: tuple[str, ...]
    """SVG of what never changes: labels and borders."""
    cells: tuple[Cell, ...]
    steps: tuple[Step, ...]

    @property
    def kinds(self) -> set[str]:
        """The classes that any cell ever has."""
        return {kind for cell in self.cells for _, kinds, _ in cell.changes for kind in kinds.split()}


def steps_of(launches: Iterable[Launch]) -> tuple[Step, ...]:
    """Every access of some launches, numbered from 1."""
    pairs = [(launch, index, event) for launch in launches for index, event in enumerate(launch.events)]
    return tuple(Step(number, *rest) for number, rest in enumerate(pairs, start=1))


def picture(launches: Sequence[Launch]) -> Picture:
    """Lay out the tensors of some launches, and follow each access."""
    steps = steps_of(launches)
    fixed: list[str] = []
    cells: list[Cell] = []
    width, y = 0, _MARGIN
    for launch in launches:
        if len(launches) > 1:
            y += _HEADING - _LABEL
            fixed.append(_text(_MARGIN, y + 3, f"{launch.title}, {_programs(launch)}", "replay__launch"))
            y += _LABEL - 5
        x, tallest = _MARGIN, 0
        for tensor in launch.tensors:
            mine = [step for step in steps if step.launch is launch and step.event.tensor == tensor.name]
            drawn = _Drawn(tensor, mine, launch)
            if x > _MARGIN and x + drawn.width > WIDTH:
                x, y, tallest = _MARGIN, y + tallest, 0
            fixed += drawn.fixed(x, y)
            cells += drawn.cells(x, y)
            width, tallest = max(width, x + drawn.width), max(tallest, drawn.height)
            x += drawn.width + _BETWEEN
        y += tallest
    return Picture(max(width, 240 if len(launches) == 1 else 420) + _MARGIN, y + _MARGIN, tuple(fixed), tuple(cells), steps)


class _Drawn:
    """One tensor of one launch, drawn at an origin."""

    def __init__(self, tensor: Tensor, steps: list[Step], launch: Launch):
        self.tensor, self.steps, self.launch = tensor, steps, launch
        elements = list(dict.fromkeys(tensor.offsets))
        used = {lane.offset for step in steps for lane in step.event.lanes}
        strays = sorted(used - tensor.known)
        active = {offset for step in steps for offset in step.event.offsets(OUTSIDE)}
        # Those that matter first, then the nearest.
        strays = sorted(sorted(strays, key=lambda o: (o not in active, o < 0, abs(o)))[:_MOST_STRAYS])
        self.columns = tensor.shape[-1] if len(tensor.shape) > 1 else COLUMNS
        self.places: dict[int, tuple[int, int]] = {}
        self.rows: list[list[int]] = []
        before = [offset for offset in strays if offset < 0]
        after = [offset for offset in strays if offset >= 0]
        self._put(before, 0)
        self.first_row = len(self.rows)
        self._put(elements, 0)
        self.last_row = len(self.rows)
        ended = len(self.rows[-1]) if elements else 0
        if after and elements and len(tensor.shape) == 1 and ended + len(after) <= self.columns:
            self._put_beside(after, ended)
        else:
            self._put(after, 0)
        self.left = 26 if self.last_row - self.first_row > 1 else 0
        right = max((x for x, _ in self.places.values()), default=0) + CELL
        label = 8 * len(_name(tensor))
        self.width = max(self.left + right, label) + 1
        self.ticked = len(tensor.shape) == 1 or self.columns <= 8
        bottom = max((y for _, y in self.places.values()), default=0) + CELL
        self.height = _LABEL + _TICKS + bottom + 10

    def _put(self, offsets: list[int], shift: int) -> None:
        """Place offsets on lines of their own, below what is there."""
        for begin in range(0, len(offsets), self.columns):
            row = offsets[begin : begin + self.columns]
            bottom = max((y + CELL for _, y in self.places.values()), default=0)
            # The tensor's border keeps its distance from what lies outside.
            gap = _BORDER if self.rows and begin == 0 else 0
            for column, offset in enumerate(row):
                self.places[offset] = (shift + column * CELL, bottom + gap)
            self.rows.append(row)

    def _put_beside(self, offsets: list[int], column: int) -> None:
        y = max(y for _, y in self.places.values())
        for number, offset in enumerate(offsets):
            self.places[offset] = ((column + number) * CELL + _BORDER, y)
        self.rows[-1] = self.rows[-1] + offsets

    def fixed(self, x: int, y: int) -> Iterator[str]:
        yield _text(x, y + 13, _name(self.tensor), "replay__name")
        top, left = y + _LABEL + _TICKS, x + self.left
        every = 1 if len(self.places) <= 8 or self.columns <= 8 else 4
        for number, row in enumerate(self.rows):
            for column, offset in enumerate(row):
                px, py = self.places[offset]
                first_stray = offset not in self.tensor.known and (column == 0 or row[column - 1] in self.tensor.known)
                if self.ticked and number == 0 and column % every == 0 or first_stray and number == 0:
                    shown = column if len(self.tensor.shape) > 1 and offset in self.tensor.known else offset
                    yield _text(left + px + CELL / 2, top + py - 3, str(shown), "replay__tick")
            if self.left and row:
                shown = number - self.first_row if len(self.tensor.shape) > 1 else row[0]
                inside = self.first_row <= number < self.last_row
                shown = shown if inside else row[0]
                yield _text(left - 5, top + self.places[row[0]][1] + CELL / 2 + 4, str(shown), "replay__tick replay__tick--row")
        yield from self._border(left, top)

    def _border(self, left: int, top: int) -> Iterator[str]:
        rows = [[o for o in row if o in self.tensor.known] for row in self.rows[self.first_row : self.last_row]]
        if not rows:
            return
        x, y = left, top + self.places[rows[0][0]][1]
        wide, last = len(rows[0]) * CELL, len(rows[-1]) * CELL
        down = len(rows) * CELL
        notch = f"V{y + down - CELL}H{x + last}" if last < wide else ""
        yield f'<path class="replay__border" d="M{x} {y}H{x + wide}{notch}V{y + down}H{x}Z"/>'

    def cells(self, x: int, y: int) -> list[Cell]:
        top, left = y + _LABEL + _TICKS, x + self.left
        cells = {
            offset: Cell(left + px, top + py, offset in self.tensor.known)
            for offset, (px, py) in self.places.items()
        }
        conflicts = self.launch.conflicts
        for step in self.steps:
            for lane in step.event.lanes:
                cell = cells.get(lane.offset)
                if cell is None:
                    continue
                cell.lines[step.line] = None
                if step.number not in cell.steps:
                    cell.steps.append(step.number)
                if lane.state == MASKED:
                    cell.take(step, "masked", stays=not cell.changes)
                    continue
                kinds = "load" if not step.event.writes else "atomic" if step.event.is_atomic else "store"
                if lane.state == OUTSIDE:
                    kinds += " outside"
                place = (self.tensor.memory, self.tensor.start + lane.offset)
                if step.event.writes and conflicts.get(place, step.index + 1) <= step.index:
                    kinds += " conflict"
                cell.take(step, kinds, stays=True)
        return list(cells.values())


def svg(drawn: Picture, step: int, name: str) -> str:
    """The picture after a step. ``name`` begins the ids in it."""
    title = f"Memory after step {step} of {len(drawn.steps)}: a cell is an element, the number in it the program"
    cells = "".join(_cell(cell, step, name) for cell in drawn.cells)
    return (
        f'<svg class="replay__picture" role="img" aria-labelledby="{name}-title" '
        f'viewBox="0 0 {drawn.width} {drawn.height}" width="{drawn.width}" height="{drawn.height}" '
        f'xmlns="http://www.w3.org/2000/svg"><title id="{name}-title">{html.escape(title)}</title>'
        f"{_hatch(name)}{cells}{''.join(drawn.fixed)}</svg>"
    )


def _cell(cell: Cell, step: int, name: str) -> str:
    classes, text = cell.at(step)
    changes = ";".join(f"{since}|{kinds}|{program}" for since, kinds, program in cell.changes)
    kinds = {kind for _, kinds, _ in cell.changes for kind in kinds.split()}
    hatch = f'<rect class="hatch" width="{CELL}" height="{CELL}" fill="url(#{name}-hatch)"/>' if "masked" in kinds else ""
    ring = f'<rect class="ring" x="3" y="3" width="{CELL - 6}" height="{CELL - 6}"/>' if cell.steps else ""
    small = " small" if any(len(program) > 2 for *_, program in cell.changes) else ""
    data = ""
    if cell.changes:
        numbers = " ".join(map(str, cell.steps))
        lines = html.escape(" ".join(cell.lines))
        data = f' data-at="{html.escape(changes)}" data-steps="{numbers}" data-lines="{lines}"'
    return (
        f'<g class="{classes}" transform="translate({cell.x} {cell.y})"{data}>'
        f'<rect class="box" width="{CELL}" height="{CELL}"/>{hatch}{ring}'
        f'<text class="id{small}" x="{CELL / 2:g}" y="{CELL / 2 + 5:g}">{html.escape(text)}</text></g>'
    )


def _hatch(name: str) -> str:
    return (
        f'<defs><pattern id="{name}-hatch" width="6" height="6" patternUnits="userSpaceOnUse" '
        'patternTransform="rotate(45)"><path class="hatching" d="M1.5 0V6"/></pattern></defs>'
    )


def _text(x: float, y: float, text: str, kind: str) -> str:
    return f'<text class="{kind}" x="{x:g}" y="{y:g}">{html.escape(text, quote=False)}</text>'


def _name(tensor: Tensor) -> str:
    passed = f" = {tensor.passed}" if tensor.passed and tensor.passed != tensor.name else ""
    return f"{tensor.name}{passed}"


def _programs(launch: Launch) -> str:
    grid = " × ".join(map(str, launch.grid))
    return "1 program" if launch.programs == 1 else f"{grid} programs"


def words(step: Step) -> str:
    """What one step does, in a sentence or a few."""
    event, launch = step.event, step.launch
    if event.tensor is None:
        return f"Program {step.program}, line {event.line}: multiplies {event.operands}."
    tensor = launch.tensor(event.tensor)
    kind = event.kind.removeprefix("atomic_")
    verb = "loads" if kind == "load" else "stores" if kind == "store" else f"updates atomically ({kind})"
    touched = elements(tensor, event.offsets())
    said = f"Program {step.program}, line {event.line}: {verb} " + (f"{event.tensor} {touched}." if touched else f"nothing of {event.tensor}.")
    masked, outside = event.offsets(MASKED), event.offsets(OUTSIDE)
    if masked:
        said += f" {len(masked)} {'lane' if len(masked) == 1 else 'lanes'} masked off: {elements(tensor, masked)}."
    if outside:
        said += f" Out of bounds: {elements(tensor, outside)}."
    if clash := _clash(step):
        said += f" Conflict: another program has stored {clash} too."
    return said


def _clash(step: Step) -> str:
    """The elements that this step stores after another program did, in words."""
    event, launch = step.event, step.launch
    if not event.writes:
        return ""
    tensor, conflicts = launch.tensor(event.tensor), launch.conflicts
    hit = [
        lane.offset for lane in event.lanes
        if lane.state != MASKED and conflicts.get((tensor.memory, tensor.start + lane.offset), step.index + 1) <= step.index
    ]
    return elements(tensor, hit)


def elements(tensor: Tensor, offsets: Iterable[int]) -> str:
    """Offsets as a reader counts them: runs, by rows where the tensor has two axes."""
    unique = sorted(set(offsets))
    if len(tensor.shape) < 2 or not set(unique) <= tensor.known:
        return _runs(unique)
    rows: dict[int, list[int]] = {}
    index = {offset: number for number, offset in enumerate(tensor.offsets)}
    for number in sorted(index[offset] for offset in unique):
        rows.setdefault(number // tensor.shape[-1], []).append(number % tensor.shape[-1])
    alike: list[tuple[list[int], list[int]]] = []
    for row, columns in rows.items():
        if alike and alike[-1][1] == columns:
            alike[-1][0].append(row)
        else:
            alike.append(([row], columns))
    return "; ".join(f"{_counted('row', rows)}, {_counted('column', columns)}" for rows, columns in alike)


def _counted(noun: str, numbers: Sequence[int]) -> str:
    return f"{noun}{'s' * (len(numbers) > 1)} {_runs(numbers)}"


def _runs(numbers: Sequence[int]) -> str:
    pieces: list[list[int]] = []
    for number in numbers:
        if pieces and number == pieces[-1][-1] + 1:
            pieces[-1].append(number)
        else:
            pieces.append([number])
    gaps = {b - a for a, b in zip(numbers, numbers[1:])}
    if len(numbers) > 3 and len(gaps) == 1 and gaps != {1}:
        return f"{numbers[0]} to {numbers[-1]} in steps of {gaps.pop()}"
    return ", ".join(
        str(piece[0]) if len(piece) == 1 else f"{piece[0]}–{piece[-1]}" if min(piece) >= 0 else f"{piece[0]} to {piece[-1]}"
        for piece in pieces
    )


def block(call: Call, context: Context, anchor: str) -> tuple[str, list[str]]:
    """The replay of a snippet's launches: source, pictures, table.

    Returns its HTML, and what a strict build must refuse. Raises ``DirectiveError``.
    """
    snippet = snippet_of(context.repository, call)
    verdict = context.look(snippet, "replay")
    said = [] if verdict.fresh else [complaint(verdict)]
    launches, sources = replayed(context.repository, call)
    if not launches:
        return badge(complaint(verdict)), said
    drawn = picture(launches)
    last = len(drawn.steps)
    told = "".join(_frame(drawn, step, f"{anchor}-{name}", name) for step, name in _ends(last))
    capture = captures(context.repository, call)["replay"]
    return (
        f'<div class="evidence replay" id="{anchor}" data-snippet="{snippet}" data-last="{last}" role="group" '
        f'aria-label="Memory replay of {html.escape(" and ".join(sources))}">'
        f'<div class="evidence__head"><span class="evidence__runner">Replay</span> recorded from a run under the '
        f"interpreter, which takes the programs in order; a GPU need not</div>"
        f"{''.join(map(badge, said))}{_code(sources, drawn.steps)}"
        f'<div class="replay__stage">{told}</div>{_legend(drawn, f"{anchor}-last")}{_table(drawn.steps, len(launches) > 1)}'
        f"{foot(capture, snippet, context)}</div>"
    ), said


def _ends(last: int) -> list[tuple[int, str]]:
    return [(1, "first"), (last, "last")] if last > 1 else [(last, "last")]


def _frame(drawn: Picture, step: int, name: str, which: str) -> str:
    told = f"After step {step} of {len(drawn.steps)}. {words(drawn.steps[step - 1])}" if drawn.steps else "No access."
    return (
        f'<figure class="replay__frame replay__frame--{which}">{svg(drawn, step, name)}'
        f"<figcaption>{html.escape(told, quote=False)}</figcaption></figure>"
    )


def _code(sources: Mapping[str, list[str]], steps: Sequence[Step]) -> str:
    """The kernels, their lines numbered and those that access memory marked.

    One kernel stands there without its arguments; of several, only the lines that access memory.
    """
    kinds: dict[str, dict[str, None]] = {}
    for step in steps:
        kinds.setdefault(step.line, {})[step.event.kind] = None
    rows = []
    for kernel, lines in sources.items():
        function = ast.parse("\n".join(lines)).body[0]
        body = range(function.body[0].lineno, len(lines) + 1)
        for number in [function.lineno, *body]:
            name = f"{kernel}-{number}"
            if number != function.lineno and len(sources) > 1 and name not in kinds:
                continue
            code = f"def {kernel}(…):" if number == function.lineno else lines[number - 1]
            marked = f' replay__line--access" data-line="{name}' if name in kinds else ""
            rows.append(
                f'<span class="replay__line{marked}"><span class="replay__number" aria-hidden="true">{number}</span>'
                f"{html.escape(code, quote=False) or ' '}</span>"
            )
    return f'<pre class="replay__code"><code>{"".join(rows)}</code></pre>'


def _legend(drawn: Picture, name: str) -> str:
    """What the looks of a cell mean, of those that occur."""
    meanings = {
        "load": "loaded by program 0", "store": "stored by program 0", "atomic": "updated atomically",
        "masked": "masked off, not touched", "outside": "out of bounds", "conflict": "stored by two programs",
    }
    keys = ""
    for kind, meaning in meanings.items():
        if kind not in drawn.kinds:
            continue
        shown = {"outside": "store outside", "conflict": "store conflict"}.get(kind, kind)
        cell = Cell(1, 1, kind not in ("outside", "masked"))
        cell.changes.append((0, f"{shown} p0", "0!" if kind in ("outside", "conflict") else "0"))
        size = CELL + 2
        keys += (
            f'<li><svg class="replay__key" viewBox="0 0 {size} {size}" aria-hidden="true">{_cell(cell, 0, name)}</svg> '
            f"{meaning}</li>"
        )
    return f'<ul class="replay__legend">{keys}</ul>' if keys else ""


def _table(steps: Sequence[Step], several: bool) -> str:
    """Every step in words; the script reads its sentences from here."""
    extra = {
        "Out of bounds": [_state(step, OUTSIDE) for step in steps],
        "Conflict": [_clash(step) for step in steps],
    }
    extra = {head: column for head, column in extra.items() if any(column)}
    heads = ["Step", *(["Launch"] if several else []), "Program", "Line", "Access", "Tensor", "Elements", "Masked off", *extra]
    rows, sums = "", {"loaded": 0, "stored": 0, "updated": 0}
    for number, step in enumerate(steps):
        event = step.event
        kind = "loaded" if event.kind == "load" else "updated" if event.is_atomic else "stored"
        sums[kind] += sum(lane.state != MASKED for lane in event.lanes)
        values = [
            str(step.number), *([str(step.launch.number)] if several else []), step.program, str(event.line),
            event.kind.replace("_", " "), event.tensor or "", _state(step, TOUCHED) or event.operands, _state(step, MASKED),
            *(column[number] for column in extra.values()),
        ]
        so_far = ", ".join(f"{count} {kind}" for kind, count in sums.items() if count or kind != "updated")
        launch = f"Launch {step.launch.number}, {step.launch.kernel}. " if several else ""
        rows += (
            f'<tr data-line="{step.line}" data-said="{html.escape(launch + words(step))}" '
            f'data-sums="{so_far}">' + "".join(f"<td>{html.escape(value)}</td>" for value in values) + "</tr>"
        )
    head = "".join(f'<th scope="col">{name}</th>' for name in heads)
    return (
        '<details class="replay__steps"><summary>Every access as a table</summary>'
        f'<div class="replay__scroll" tabindex="0" role="group" aria-label="Every access"><table><thead><tr>{head}</tr></thead>'
        f"<tbody>{rows}</tbody></table></div></details>"
    )


def _state(step: Step, state: str) -> str:
    event = step.event
    return elements(step.launch.tensor(event.tensor), event.offsets(state)) if event.tensor else ""
