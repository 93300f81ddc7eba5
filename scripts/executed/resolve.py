"""Find what a call of a page stands for: captures, values, a launch, a source.

``lint`` asks so that nothing unresolved is published, ``render`` so as to show it; both get the same
answer or the same error.
"""

import math
import re
from dataclasses import dataclass

from executed import expression, extract
from executed.capture import Capture, CaptureError, read
from executed.directives import Call, DirectiveError
from executed.discover import Repository
from executed.expression import ExpressionError, Reference
from executed.extract import ExtractError
from executed.facts import Launch, launches
from executed.runners import RUNNERS
from executed.snippet import Snippet

_KEY = re.compile(r"^#+ .*\{#(?P<key>[\w-]+)\}\s*$", re.MULTILINE)
_POWER = re.compile(r"(?:(?P<mantissa>[-+]?\d+(?:\.\d+)?)\s*(?:\\cdot|·|×|\\times)\s*)?10\^\{?(?P<power>[-+]?\d+)\}?")
_FIRST_NUMBER = re.compile(r"[-+−]?\d[\d,]*(?:\.\d+)?(?:[eE][-+]?\d+)?")


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


def snippet_of(repository: Repository, call: Call) -> Snippet:
    """The snippet that a call names. Raises ``DirectiveError``."""
    return _snippet(repository, call.arguments["snippet"], call)


def check(repository: Repository, call: Call) -> None:
    """Resolve a call for its errors alone. Raises ``DirectiveError``."""
    match call.name:
        case "outputs" | "ptx":
            captures(repository, call)
        case "program":
            snippet = snippet_of(repository, call)
            if not snippet.settings.bundle:
                raise DirectiveError(call.line, f"{snippet} bundles nothing: it is no chapter's program")
        case "value" | "claim" | "hand" | "cite":
            inline(repository, call)


def captures(repository: Repository, call: Call) -> dict[str, Capture]:
    """The captures that ``outputs`` or ``ptx`` show, by runner. Raises ``DirectiveError``."""
    snippet = snippet_of(repository, call)
    wanted = "compiler" if call.name == "ptx" else call.arguments["runner"]
    found = {}
    for runner in [_declared(snippet, wanted, call)] if wanted else shown_runners(snippet, call):
        capture = _read(snippet, runner, call)
        if capture is not None:
            found[runner] = capture
            _extracted(call, snippet, launch_of if call.name == "ptx" else text_of, capture, call)
    return found


def shown_runners(snippet: Snippet, call: Call) -> list[str]:
    """The runners that ``outputs`` shows where it names none, in their order."""
    declared = [runner for runner in RUNNERS if runner in snippet.settings.runners]
    if call.arguments.get("section"):
        # Facts belong to launches, not to a section of what is printed.
        return [runner for runner in declared if runner != "compiler" or not snippet.shows_facts]
    return declared


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


def _value(repository: Repository, call: Call) -> Shown:
    given = call.arguments
    if "[" in given["label"]:
        shown, result = _computed(repository, call, given["label"])
        if result is None:
            return shown
        if isinstance(result, str):
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
    if result is None:
        return Shown(words, shown.values, shown.missing)
    if not isinstance(result, bool):
        raise ExpressionError(f"{condition!r} is no comparison, so it cannot hold or fail")
    if not shown.values:
        raise ExpressionError(f"{condition!r} names no captured value")
    if not result:
        seen = ", ".join(f"[{value.label}] is {_text(value)}" for value in shown.values)
        raise DirectiveError(call.line, f"the page says “{words}”, but {condition} does not hold: {seen}")
    return Shown(words, shown.values)


def _hand(repository: Repository, call: Call) -> Shown:
    words, source = call.arguments["shown"], call.arguments["equals"]
    shown, result = _computed(repository, call, source)
    if result is None:
        return Shown(words, shown.values, shown.missing)
    number, digits = _number_in(words)
    if number is None or not isinstance(result, (int, float)):
        raise ExpressionError(f"hand({words!r}, {source!r}): both must be numbers")
    if not math.isclose(float(f"{result:.{digits - 1}e}"), number, rel_tol=1e-12, abs_tol=0.0) and result != number:
        raise DirectiveError(call.line, f"the page says {words}, but {source} is {result:.{digits + 2}g}")
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
    runner = _declared(snippet, reference.runner, call) if reference.runner else shown_runners(snippet, call)[0]
    capture = _read(snippet, runner, call)
    if capture is None:
        return None, (snippet, runner)
    value = Value(snippet, capture, reference.section, reference.label)
    _extracted(call, snippet, _text, value)
    return value, None


def _text(value: Value, spec: str | None = None, field: str | None = None) -> str:
    text = value.capture.text if value.section is None else extract.section(value.capture.text, value.section)
    return extract.value(text, value.label, spec, field)


def _snippet(repository: Repository, name: str, call: Call) -> Snippet:
    if name not in repository.snippets:
        raise DirectiveError(call.line, f"there is no snippet {name!r}")
    return repository.snippets[name]


def _declared(snippet: Snippet, runner: str, call: Call) -> str:
    if runner not in snippet.settings.runners:
        declared = ", ".join(snippet.settings.runners)
        raise DirectiveError(call.line, f"{snippet} has no runner {runner!r}; it declares {declared}")
    return runner


def _read(snippet: Snippet, runner: str, call: Call) -> Capture | None:
    try:
        return read(snippet.capture_path(runner))
    except CaptureError as error:
        raise DirectiveError(call.line, str(error)) from None


def _extracted(call: Call, snippet: Snippet, extractor, *arguments):
    try:
        return extractor(*arguments)
    except ExtractError as error:
        raise DirectiveError(call.line, f"{snippet}: {error}") from None


def _as_number(text: str) -> float | str:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        first = _FIRST_NUMBER.match(text)
        return float(first[0].replace(",", "")) if first and " " in text else text


def _formatted(result: float | bool, spec: str) -> str:
    try:
        return format(result, spec)
    except ValueError as error:
        raise ExpressionError(f"format {spec!r} does not suit {result}: {error}") from None


def _number_in(words: str) -> tuple[float | None, int]:
    """The number that words state, and its count of significant digits."""
    if match := _POWER.search(words):
        mantissa = match["mantissa"] or "1"
        return float(f"{mantissa}e{match['power']}"), len(re.sub(r"\D", "", mantissa).lstrip("0")) or 1
    match = _FIRST_NUMBER.search(words)
    if match is None:
        return None, 0
    plain = match[0].replace(",", "").replace("−", "-")
    mantissa = plain.lower().partition("e")[0]
    return float(plain), len(re.sub(r"\D", "", mantissa).lstrip("0")) or 1
