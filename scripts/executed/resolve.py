"""Find what a call of a page stands for: captures, values, a launch, a source.

``lint`` asks so that nothing unresolved is published, ``render`` so as to show it; both get the same
answer or the same error.
"""

import re
from dataclasses import dataclass
from decimal import Decimal

from executed import expression, extract, plots, recording
from executed.assemble import kernel_source
from executed.capture import Capture, CaptureError, read
from executed.directives import Call, DirectiveError
from executed.discover import Repository, jitted
from executed.expression import ExpressionError, Led, Reference
from executed.extract import ExtractError
from executed.facts import Launch, launches
from executed.plots import Chart, PlotError, Series
from executed.recording import RecordingError
from executed.runners import RUNNERS
from executed.snippet import Snippet, SnippetError
from executed.sources import numbers_of

_KEY = re.compile(r"^#+ .*\{#(?P<key>[\w-]+)\}\s*$", re.MULTILINE)
_KERNEL = re.compile(r"(ch\d\d)\.(\w+)")
_DIGITS = r"(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d+)"
# A captured value that is a number, or begins with one.
_AS_NUMBER = re.compile(rf"[-+]?(?:(?:{_DIGITS}\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|(?:inf|nan))(?=$|\s|[%×x]$)")
# What a page may show by hand: a plain number, or a power with what it is multiplied by.
_SHOWN = re.compile(
    rf"(?<![\w.,])(?P<sign>[-+−]?)(?P<mantissa>(?:{_DIGITS}(?:\.\d+)?|\.\d+))(?![.,]?\d)"
    r"(?:[eE](?P<exponent>[-+]?\d+))?"
    r"(?:\s*(?P<times>\\cdot|\\times|[·×])\s*(?P<base>\d+)(?=\^))?(?:\^\{?(?P<power>[-+−]?\d+)\}?)?"
)
_RAISED = re.compile(r"[⁻⁺]?[⁰¹²³⁴-⁹]+")
_SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_EXACT = 15
"""Digits of a number that is not rounded for show: as many as a float has."""


@dataclass(frozen=True)
class Value:
    """One captured value behind something that a page says."""

    snippet: Snippet
    capture: Capture
    section: str | None
    label: str


@dataclass(frozen=True)
class Shown:
    """What an inline call shows, and the captured values that it rests on."""

    text: str
    values: tuple[Value, ...] = ()
    missing: tuple[tuple[Snippet, str], ...] = ()
    """Captures that are not there yet: snippet and runner. A state, so left to ``judge``."""


@dataclass(frozen=True)
class Plotted:
    """What a plot draws, and the captures that it rests on."""

    chart: Chart | None
    """None while a capture is missing."""
    sources: tuple[tuple[Snippet, str], ...]
    """Snippet and runner."""
    captures: tuple[Capture, ...]
    """As many, in the same order, where none is missing."""


def snippet_of(repository: Repository, call: Call) -> Snippet:
    """The snippet that a call names. Raises ``DirectiveError``."""
    return _snippet(repository, call.arguments["snippet"], call)


def check(repository: Repository, call: Call) -> None:
    """Resolve a call for its errors alone. Raises ``DirectiveError``."""
    match call.name:
        case "outputs" | "ptx":
            captures(repository, call)
        case "replay":
            replayed(repository, call)
        case "plot":
            plotted(repository, call)
        case "program":
            snippet = snippet_of(repository, call)
            if not snippet.settings.bundle:
                raise DirectiveError(call.line, f"{snippet} bundles nothing: it is no chapter's program")
        case "value" | "claim" | "hand" | "cite":
            inline(repository, call)


def captures(repository: Repository, call: Call) -> dict[str, Capture]:
    """The captures that ``outputs``, ``ptx`` or ``replay`` show, by runner. Raises ``DirectiveError``."""
    snippet = snippet_of(repository, call)
    wanted = {"ptx": "compiler", "replay": "replay"}.get(call.name) or call.arguments["runner"]
    found = {}
    for runner in [_declared(snippet, wanted, call)] if wanted else shown_runners(snippet, call):
        capture = _read(repository, snippet, runner, call)
        if capture is not None:
            found[runner] = capture
            extractor = {"ptx": launch_of, "replay": replay_of}.get(call.name, text_of)
            _extracted(call, snippet, extractor, capture, call)
    return found


def shown_runners(snippet: Snippet, call: Call) -> list[str]:
    """The runners that ``outputs`` shows where it names none, in their order."""
    declared = [runner for runner in RUNNERS if runner in snippet.settings.runners]
    if call.arguments.get("section"):
        # Facts belong to launches, not to a section of what is printed.
        return [runner for runner in declared if snippet.prints(runner)]
    return [runner for runner in declared if runner != "replay"] or declared


def text_of(capture: Capture, call: Call) -> str:
    """The part of a capture that ``outputs`` shows. Raises ``ExtractError``."""
    title = call.arguments["section"]
    return capture.text if title is None else extract.section(capture.text, title)


def launch_of(capture: Capture, call: Call) -> Launch:
    """The launch that ``ptx`` lists. Raises ``ExtractError``."""
    listed = {launch.title: launch for launch in launches(capture.text) if launch.ptx}
    wanted = call.arguments["launch"]
    if wanted not in listed:
        known = ", ".join(listed) or "none"
        raise ExtractError(f"no PTX of {wanted} in its capture; it lists {known} (setting ptx)")
    return listed[wanted]


def replay_of(capture: Capture, call: Call) -> list[recording.Launch]:
    """The launches that ``replay`` draws. Raises ``ExtractError``."""
    wanted = call.arguments["launch"]
    try:
        launches = recording.parse(capture.text)
    except RecordingError as error:
        raise ExtractError(str(error)) from None
    if wanted is not None:
        match = re.fullmatch(r"(\d+)(?:-(\d+))?", wanted)
        chosen = range(int(match[1]), int(match[2] or match[1]) + 1) if match else ()
        if not chosen or chosen[0] < 1 or chosen[-1] > len(launches):
            raise ExtractError(
                f'launch {wanted!r} is not in its recording of {len(launches)}; it reads "1", or "1-3" for several'
            )
        launches = [launch for launch in launches if launch.number in chosen]
    try:
        recording.check_size(launches)
    except RecordingError as error:
        raise ExtractError(str(error)) from None
    return launches


def replayed(repository: Repository, call: Call) -> tuple[list[recording.Launch], dict[str, list[str]]]:
    """What ``replay`` shows: its launches, and the source of each kernel. Raises ``DirectiveError``.

    Both are empty where the recording is missing.
    """
    found = captures(repository, call)
    if not found:
        return [], {}
    snippet = snippet_of(repository, call)
    launches = replay_of(found["replay"], call)
    try:
        return launches, {launch.kernel: kernel_source(repository, snippet, launch.kernel) for launch in launches}
    except SnippetError as error:
        raise DirectiveError(call.line, str(error)) from None


def plotted(repository: Repository, call: Call) -> Plotted:
    """What ``plot`` draws. Raises ``DirectiveError``."""
    given = call.arguments
    try:
        for words in (given["title"], given["x"], given["y"]):
            if numbers_of(words):
                raise PlotError(f"{words!r} states a number; what was measured stands in the drawing")
        if given["kind"] not in plots.KINDS or given["log"] not in ("", "x", "y", "xy"):
            raise PlotError('kind is "lines", "bars" or "points", and log is "x", "y" or "xy"')
        if not given["series"]:
            raise PlotError('it needs a series: a label with a * for x, such as "stride * GB/s"')
        wanted = [_completed(expression.reference(source), call) for source in given["series"]]
        limits = [given[name] for name in ("ceiling", "slope") if given[name]]
        marked = [_completed(expression.reference(source), call) for source in limits]
        found = [_output(repository, reference, call) for reference in (*wanted, *marked)]
        sources = tuple(dict.fromkeys((snippet, runner) for snippet, runner, _, _ in found))
        texts = [text for *_, text in found]
        if None in texts:
            return Plotted(None, sources, ())
        # The axes of points are named as the fields of a line that hold their numbers.
        fields = (given["y"], given["x"]) if given["kind"] == "points" else (given["field"], None)
        drawn = [plots.points(text, reference.label, *fields) for reference, text in zip(wanted, texts)]
        lines = [plots.ceilings(text, reference.label) for reference, text in zip(marked, texts[len(wanted):])]
        slope = lines.pop() if given["slope"] else (None,)
        if len(slope) > 1:
            raise PlotError(f"{marked[-1].label!r} fits {len(slope)} labels; there is one slope")
        named = zip(_series_names(wanted, found), drawn, strict=True)
        chart = Chart(
            given["title"], given["x"], given["y"], tuple(Series(name, points) for name, points in named),
            lines[0] if lines else (), slope[0], given["kind"], given["log"],
        )
        plots.check(chart)
        if given["kind"] == "points":
            for point in (point for points in drawn for point in points):
                kernel_of(repository, point.label)
    except (ExpressionError, ExtractError, PlotError) as error:
        raise DirectiveError(call.line, f"plot of {given['snippet']}: {error}") from None
    captures = {(snippet, runner): capture for snippet, runner, capture, _ in found}
    return Plotted(chart, sources, tuple(captures.values()))


def kernel_of(repository: Repository, label: str) -> tuple[Snippet, str]:
    """The kernel that a point is named after, and the snippet that defines it. Raises ``PlotError``."""
    match = _KERNEL.fullmatch(label)
    if match is None:
        raise PlotError(f"a point is named after a kernel, such as ch15.softmax_kernel; {label!r} is not")
    chapter, name = match.groups()
    found = _kernels(repository).get((chapter, name), [])
    if len(found) != 1:
        known = ", ".join(map(str, found)) or "none"
        raise PlotError(f"{label!r} is to be one kernel of {chapter}, but the snippets that define it are: {known}")
    return found[0], name


def _kernels(repository: Repository) -> dict[tuple[str, str], list[Snippet]]:
    """By a chapter's short name and a kernel's, the snippets that define it."""
    if "kernels" not in repository.memory:
        found = repository.memory["kernels"] = {}
        for snippet in repository.snippets.values():
            for name in {kernel.name for kernel in jitted(snippet)}:
                found.setdefault((snippet.chapter.partition("_")[0], name), []).append(snippet)
    return repository.memory["kernels"]


def _series_names(wanted: list[Reference], found: list[tuple]) -> list[str]:
    """What tells the series of a plot apart, in words."""
    runners = [RUNNERS[runner].title for _, runner, _, _ in found[: len(wanted)]]
    columns = [
        [str(snippet) for snippet, *_ in found[: len(wanted)]], runners,
        [reference.section or "" for reference in wanted], plots.names([reference.label for reference in wanted]),
    ]
    if len(wanted) == 1:
        return columns[-1]
    if len(set(columns[0])) > 1 and len(set(columns[2])) == len(wanted):
        return columns[2]  # Where sections tell, nobody needs the names of programs.
    told = [column for column in columns if len(set(column)) > 1]
    return [", ".join(filter(None, parts)) for parts in zip(*told)] if told else columns[-1]


def _output(
    repository: Repository, reference: Reference, call: Call
) -> tuple[Snippet, str, Capture | None, str | None]:
    """Where a reference's label is printed: snippet, runner, and, unless it is missing, capture and section."""
    snippet = _snippet(repository, reference.snippet, call)
    runner = _declared(snippet, reference.runner, call) if reference.runner else _first_runner(snippet, call)
    capture = _read(repository, snippet, runner, call)
    if capture is None:
        return snippet, runner, None, None
    section = reference.section
    return snippet, runner, capture, capture.text if section is None else extract.section(capture.text, section)


def inline(repository: Repository, call: Call) -> Shown:
    """What ``value``, ``claim``, ``hand`` or ``cite`` shows. Raises ``DirectiveError``."""
    try:
        match call.name:
            case "value":
                return _value(repository, call)
            case "claim":
                return _claim(repository, call)
            case "hand":
                return _hand(repository, call)
            case _:
                return _cite(repository, call)
    except (ExpressionError, ExtractError) as error:
        raise DirectiveError(call.line, str(error)) from None


def ratio(repository: Repository, snippet: Snippet, source: str) -> float | None:
    """What a snippet's ``speed`` says, from its gpu capture; None while that is missing. Raises ``SnippetError``."""
    call = Call("value", {"snippet": snippet.name, "runner": "gpu"}, line=1, start=0, end=0, alone=False)
    try:
        shown, result = _computed(repository, call, source)
    except (DirectiveError, ExpressionError) as error:
        raise SnippetError(f"{snippet.path}: speed: {error}") from None
    if not shown.values and not shown.missing or isinstance(result, (str, bool)):
        raise SnippetError(f"{snippet.path}: speed: {source!r} is no number over captured values")
    return result


def _value(repository: Repository, call: Call) -> Shown:
    given = call.arguments
    if "[" in given["label"]:
        if given["field"] is not None:
            raise ExpressionError(f"field {given['field']!r} belongs to one label, not to {given['label']!r}")
        shown, result = _computed(repository, call, given["label"])
        if result is None:
            return shown
        if isinstance(result, (str, bool)):
            raise ExpressionError(f"{given['label']!r} is no number")
        return Shown(_formatted(result, given["format"] or ".3g"), shown.values)
    reference = Reference(given["label"], given["section"], given["runner"], given["snippet"])
    value, missing = _find(repository, reference, call)
    if value is None:
        return Shown("?", (), (missing,))
    text = _extracted(call, value.snippet, _text, value, given["format"], given["field"])
    return Shown(text, (value,))


def _claim(repository: Repository, call: Call) -> Shown:
    words, condition = call.arguments["words"], call.arguments["holds"]
    shown, result = _computed(repository, call, condition)
    stated = {Decimal(str(number)) for number in expression.parse(condition).constants}
    for number in numbers_of(words):
        said = _number_in(number)[0]
        if said not in stated and said / 100 not in stated:
            raise ExpressionError(f"the words “{words}” state {number}, but {condition!r} does not")
    if result is None:
        return Shown(words, shown.values, shown.missing)
    if not isinstance(result, bool):
        raise ExpressionError(f"{condition!r} is no comparison, so it cannot hold or fail")
    if not shown.values:
        raise ExpressionError(f"{condition!r} names no captured value")
    if not result:
        seen = ", ".join(dict.fromkeys(
            f"[{value.capture.runner} | {value.label}] is {_text(value)}" for value in shown.values
        ))
        raise DirectiveError(call.line, f"the page says “{words}”, but {condition} does not hold: {seen}")
    return Shown(words, shown.values)


def _hand(repository: Repository, call: Call) -> Shown:
    words, source = call.arguments["shown"], call.arguments["equals"]
    shown, result = _computed(repository, call, source)
    if not shown.values and not shown.missing and _AS_NUMBER.fullmatch(source.strip()):
        raise ExpressionError(f"hand({words!r}, {source!r}) derives nothing: it repeats the number")
    if result is None:
        return Shown(words, shown.values, shown.missing)
    if isinstance(result, (str, bool)):
        raise ExpressionError(f"hand({words!r}, {source!r}): what it equals is no number")
    number, digits = _number_in(words)
    if Decimal(f"{Decimal(result):.{digits - 1}e}") != Decimal(f"{number:.{digits - 1}e}"):
        seen = str(result) if isinstance(result, int) else f"{result:.{digits + 2}g}"
        raise DirectiveError(call.line, f"the page says {words}, but {source} is {seen}")
    return Shown(words, shown.values)


def _cite(repository: Repository, call: Call) -> Shown:
    path = repository.docs / "bibliography.md"
    known = _KEY.findall(path.read_text("utf-8")) if path.is_file() else []
    if call.arguments["key"] not in known:
        raise DirectiveError(call.line, f"no source {call.arguments['key']!r} in docs/bibliography.md")
    return Shown(call.arguments["words"])


def _computed(repository: Repository, call: Call, source: str) -> tuple[Shown, float | str | bool | None]:
    """The captured values that an expression names, and its result: None where one is missing."""
    parsed = expression.parse(source)
    values, missing = [], []
    for reference in parsed.references:
        value, lacking = _find(repository, _completed(reference, call), call)
        values += [value] if value else []
        missing += [lacking] if lacking else []
    shown = Shown("?", tuple(values), tuple(missing))
    if missing:
        return shown, None
    texts = iter(values)
    return shown, parsed.evaluate(lambda _: _as_number(_text(next(texts))))


def _completed(reference: Reference, call: Call) -> Reference:
    given = call.arguments
    return Reference(
        reference.label,
        # A section and a runner that the call names are meant for its own snippet.
        reference.section or (given.get("section") if reference.snippet is None else None),
        reference.runner or given.get("runner"),
        reference.snippet or given.get("snippet"),
    )


def _find(
    repository: Repository, reference: Reference, call: Call
) -> tuple[Value | None, tuple[Snippet, str] | None]:
    if reference.snippet is None:
        raise DirectiveError(call.line, f"[{reference.label}] names no snippet, and neither does the call")
    snippet = _snippet(repository, reference.snippet, call)
    named = reference.runner
    runner = _declared(snippet, named, call) if named else _first_runner(snippet, call)
    capture = _read(repository, snippet, runner, call)
    if capture is None:
        return None, (snippet, runner)
    value = Value(snippet, capture, reference.section, reference.label)
    _extracted(call, snippet, _text, value)
    return value, None


def _text(value: Value, spec: str | None = None, field: str | None = None) -> str:
    text = value.capture.text if value.section is None else extract.section(value.capture.text, value.section)
    return extract.value(text, value.label, spec, field)


def _first_runner(snippet: Snippet, call: Call) -> str:
    """The runner that a value is of where nobody names one: the first that prints what the program does."""
    for runner in RUNNERS:
        if runner in snippet.settings.runners and snippet.prints(runner):
            return runner
    raise DirectiveError(call.line, f"{snippet} declares no runner that prints values")


def _snippet(repository: Repository, name: str, call: Call) -> Snippet:
    if name not in repository.snippets:
        raise DirectiveError(call.line, f"there is no snippet {name!r}")
    return repository.snippets[name]


def _declared(snippet: Snippet, runner: str, call: Call) -> str:
    if runner not in snippet.settings.runners:
        declared = ", ".join(snippet.settings.runners)
        raise DirectiveError(call.line, f"{snippet} has no runner {runner!r}; it declares {declared}")
    return runner


def _read(repository: Repository, snippet: Snippet, runner: str, call: Call) -> Capture | None:
    key = ("capture", snippet, runner)
    if key not in repository.memory:
        try:
            found = read(snippet.capture_path(runner))
        except CaptureError as error:
            raise DirectiveError(call.line, str(error)) from None
        if found is None:
            return None  # It may still come.
        repository.memory[key] = found
    return repository.memory[key]


def _extracted(call: Call, snippet: Snippet, extractor, *arguments):
    try:
        return extractor(*arguments)
    except ExtractError as error:
        raise DirectiveError(call.line, f"{snippet}: {error}") from None


def _as_number(text: str) -> int | float | str:
    match = _AS_NUMBER.match(text)
    if match is None:
        return text
    plain = match[0].replace(",", "")
    number = int(plain) if re.fullmatch(r"[-+]?\d+", plain) else float(plain)
    return number if match[0] == text else Led(text, number)


def _formatted(result: int | float, spec: str) -> str:
    try:
        return format(result, spec)
    except ValueError as error:
        raise ExpressionError(f"format {spec!r} does not suit {result}: {error}") from None


def _number_in(words: str) -> tuple[Decimal, int]:
    """The one number that words state, and its count of significant digits. Raises ``ExpressionError``."""
    plain = _RAISED.sub(lambda match: f"^{match[0].translate(_SUPERSCRIPTS)}", words)
    found = list(_SHOWN.finditer(plain))
    if len(found) != 1:
        raise ExpressionError(f"{words!r} shows {len(found)} numbers; it needs exactly one")
    match = found[0]
    mantissa, base = match["mantissa"].replace(",", ""), match["base"]
    digits = len(re.sub(r"\D", "", mantissa).lstrip("0")) or 1
    try:
        number = Decimal(f"{mantissa}e{match['exponent'] or 0}")
        if match["power"]:
            power = int(match["power"].replace("−", "-"))
            if base is None:  # The base itself, times one.
                base, number, digits = mantissa, Decimal(1), 1
            number *= Decimal(base) ** power
            # Powers of ten count digits; any other is exact.
            digits = digits if base == "10" else _EXACT
    except ArithmeticError:
        raise ExpressionError(f"{words!r} is too large or too small a number") from None
    return -number if match["sign"] in ("-", "−") else number, digits
