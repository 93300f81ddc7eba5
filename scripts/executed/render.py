"""Turn the calls of a page into HTML. Pure: text and captures in, text out.

A block is handed to Markdown as a token and put in its place afterwards, so that nothing which a
program printed is ever read as Markdown, as an include or as HTML.
"""

import hashlib
import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from executed import evidence, replay, tables
from executed.context import Context, complaint, runner_title
from executed.directives import BLOCKS, Call, DirectiveError, find_calls
from executed.extract import label_line
from executed.resolve import Value, captures, inline, shown_runners, snippet_of, text_of

_NUMBER = re.compile(r"[-+]?[\d,]*\.?\d+(?:e[-+]?\d+)?")
_ANCHORED = {"outputs": "out", "replay": "replay", "plot": "plot"}
"""Directives whose block something may link to, and how its id begins."""
_UNSEARCHED = ("ledger", "plot", "ptx", "replay")
"""Directives whose block is no text that somebody would look for: numbers, instructions, addresses."""
_NAMELESS = re.compile(r"<th([^>]*)></th>")
# Names, signs and blanks have the colour of their listing, and would be half of the elements of a page.
_PLAIN_TOKEN = re.compile(r'<span class="[nopw]">([^<]*)</span>')
_MEANT = re.compile(r"[^\w .,+-]|_")
_IN_MATHS = re.compile(r"(?<![\\$])\$(?!\$)")


@dataclass(frozen=True)
class Expanded:
    """A page whose calls are expanded, and the blocks that are still to be put in place."""

    text: str
    blocks: dict[str, str] = field(repr=False)
    """Token to HTML."""
    problems: tuple[str, ...]
    """What a strict build must refuse: ``line: what``."""
    unsearched: frozenset[str] = frozenset()
    """Tokens of the blocks that a search engine need not read; they are half of a page's elements."""


def expand(text: str, context: Context, first_line: int = 1) -> Expanded:
    """Expand every call in a page's Markdown. ``first_line`` is the line that ``text`` begins on."""
    found = list(find_calls(text))
    # Nobody can write a token into a page: it would change with the page.
    page_digest = hashlib.sha256(text.encode("utf-8")).hexdigest()[:16]
    page = _Page(context, [call for call in found if isinstance(call, Call)])
    pieces: list[str] = []
    blocks: dict[str, str] = {}
    unsearched: set[str] = set()
    problems: list[str] = []
    position = 0
    for call in found:
        where = call.line + first_line - 1
        if isinstance(call, DirectiveError):
            problems.append(f"{where}: {call}")
            continue
        try:
            shown, said = page.render(call, _in_maths(text, call.start))
            problems += [f"{where}: {line}" for line in said]
        except DirectiveError as error:
            problems.append(f"{where}: {error}")
            shown = evidence.badge(str(error))
        if call.name in BLOCKS:
            token = f"executed-{page_digest}-{len(blocks)}-"
            blocks[token] = shown
            if call.name in _UNSEARCHED:
                unsearched.add(token)
            # Blank lines make it a paragraph of its own, whatever stands around it.
            indent = text[text.rfind("\n", 0, call.start) + 1 : call.start]
            shown = f"\n{indent}{token}\n"
        pieces += [text[position : call.start], shown]
        position = call.end
    pieces.append(text[position:])
    return Expanded("".join(pieces), blocks, tuple(problems), frozenset(unsearched))


def fill(page: str, blocks: dict[str, str]) -> str:
    """Put the blocks into the HTML that Markdown made of an expanded page.

    The empty corner of a table becomes a plain cell: a heading without words is read out as one. Words of
    a listing that no rule colours become its text.
    """
    page = _PLAIN_TOKEN.sub(r"\1", _NAMELESS.sub(r"<td\1></td>", page))
    if not blocks:
        return page
    # One pass, so that what stands inside a block is never looked at.
    token = "|".join(map(re.escape, sorted(blocks, key=len, reverse=True)))
    return re.sub(rf"<p>\s*({token})\s*</p>|({token})", lambda match: blocks[match[1] or match[2]], page)


class _Page:
    """Renders the calls of one page, each knowing where the outputs of the others stand."""

    def __init__(self, context: Context, calls: list[Call]):
        self.context = context
        self.anchors = {
            call.start: f"{_ANCHORED[call.name]}-{call.arguments['snippet'].replace('/', '-')}-{number}"
            for number, call in enumerate(calls, start=1) if call.name in _ANCHORED
        }
        self.outputs = [call for call in calls if call.name == "outputs"]
        self.replays = [call for call in calls if call.name == "replay"]
        self.wanted: dict[str, dict[str, set[int]]] = {anchor: {} for anchor in self.anchors.values()}
        for call in calls:
            if call.name in ("value", "claim", "hand"):
                for value in self._values(call):
                    self._place(value)

    def render(self, call: Call, in_maths: bool) -> tuple[str, list[str]]:
        """The HTML of a call, and what a strict build must refuse. Raises ``DirectiveError``."""
        match call.name:
            case "outputs":
                anchor = self.anchors[call.start]
                return evidence.outputs(call, self.context, anchor, self.wanted[anchor])
            case "ptx":
                return evidence.ptx(call, self.context)
            case "replay":
                return replay.block(call, self.context, self.anchors[call.start])
            case "plot":
                return evidence.plot(call, self.context, self.anchors[call.start])
            case "program":
                return tables.program(call, self.context), []
            case "chapters":
                return tables.chapters(self.context), []
            case "ledger":
                return tables.ledger(self.context), []
            case "numbers":
                return tables.numbers(self.context), []
            case "speeds":
                return tables.speeds(self.context), []
            case "kernels":
                return tables.kernels(self.context), []
            case "api":
                return tables.api(self.context), []
            case _:
                return self._inline(call, in_maths)

    def _inline(self, call: Call, in_maths: bool) -> tuple[str, list[str]]:
        shown = inline(self.context.repository, call)
        verdicts = [self.context.look(value.snippet, value.capture.runner) for value in shown.values]
        verdicts += [self.context.look(snippet, runner) for snippet, runner in shown.missing]
        said = list(dict.fromkeys(complaint(verdict) for verdict in verdicts if not verdict.fresh))
        if in_maths:
            if call.name != "hand" and not _NUMBER.fullmatch(shown.text):
                raise DirectiveError(call.line, f"{shown.text!r} is no number, so it cannot stand in mathematics")
            return shown.text, said
        if call.name == "cite":
            address = f"{self.context.address('bibliography.md')}#{call.arguments['key']}"
            return f'<a class="cited" href="{address}">{_plain(shown.text)}</a>', said
        name = {"value": "value", "claim": "claim", "hand": "derived"}[call.name]
        why = [_origin(value) for value in shown.values]
        why += [call.arguments[key] for key in ("holds", "equals") if key in call.arguments]
        title = _plain("; ".join(dict.fromkeys(why)))
        words = shown.text if call.name == "claim" else _plain(shown.text)
        if shown.missing or not shown.values:
            missing = f" {name}--missing" if shown.missing else ""
            return f'<span class="{name}{missing}" title="{title}" tabindex="0">{words}</span>', said
        return f'<a class="{name}" title="{title}" href="{self._place(shown.values[0])}">{words}</a>', said

    def _values(self, call: Call) -> Iterable[Value]:
        try:
            return inline(self.context.repository, call).values
        except DirectiveError:
            return ()  # Told when the call itself is rendered.

    def _place(self, value: Value) -> str:
        """The address of the line that prints a value: on this page if it is there, else its ledger row."""
        for call in self.outputs:
            if call.arguments["snippet"] != value.snippet.name:
                continue
            if call.arguments["section"] not in (None, value.section):
                continue
            try:
                runner = self._panel_of(value, call)
            except DirectiveError:
                continue  # Told when that call is rendered.
            if runner is None:
                continue
            line = label_line(text_of(value.capture, call), value.label, value.section)
            if line is not None:
                anchor = self.anchors[call.start]
                self.wanted[anchor].setdefault(runner, set()).add(line)
                return f"#{evidence.line_id(f'{anchor}-{runner}', line)}"
        for call in self.replays if value.capture.runner == "replay" else ():
            if call.arguments["snippet"] == value.snippet.name:
                return f"#{self.anchors[call.start]}"
        return f"{self.context.address('ledger.md')}#{value.snippet}-{value.capture.runner}"

    def _panel_of(self, value: Value, call: Call) -> str | None:
        """The runner under whose name a block shows a value: the first that printed the same text."""
        runner = value.capture.runner
        if not value.snippet.prints(runner):
            return None
        wanted = call.arguments["runner"]
        found = captures(self.context.repository, call)
        runners = [wanted] if wanted else shown_runners(snippet_of(self.context.repository, call), call)
        if runner not in runners:
            return None
        text = text_of(value.capture, call)
        return next(r for r in runners if r in found and text_of(found[r], call) == text)


def _origin(value: Value) -> str:
    capture = value.capture
    return (
        f"{value.snippet}, “{value.label}”, {runner_title(capture.runner, capture)}: "
        f"{capture.device}, {capture.versions}"
    )


def _in_maths(text: str, position: int) -> bool:
    """Whether a position lies between dollar signs of its paragraph."""
    start = text.rfind("\n\n", 0, position) + 1
    before = re.sub(r"`[^`]*`", "", text[start:position])
    return before.count("$$") % 2 == 1 or len(_IN_MATHS.findall(before.replace("$$", ""))) % 2 == 1


def _plain(text: str) -> str:
    """Text that Markdown passes through: whatever could mean something is an entity."""
    return _MEANT.sub(lambda match: f"&#{ord(match[0])};", text)
