"""Turn the calls of a page into HTML. Pure: text and captures in, text out.

A block is handed to Markdown as a token and put in its place afterwards, so that nothing which a
program printed is ever read as Markdown, as an include or as HTML.
"""

import html
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from executed.capture import Capture
from executed.directives import Call, DirectiveError, find_calls
from executed.discover import Repository
from executed.extract import ExtractError
from executed.judge import Verdict, look
from executed.lint import resolve, text_of
from executed.runners import RUNNERS
from executed.snippet import Snippet


@dataclass(frozen=True)
class Expanded:
    """A page whose calls are expanded, and the blocks that are still to be put in place."""

    text: str
    blocks: dict[str, str] = field(repr=False)
    """Token to HTML."""
    problems: tuple[str, ...]
    """What a strict build must refuse: ``line: what``."""


@dataclass(frozen=True)
class Context:
    """What expanding a page needs to know of the book and of where the page lies."""

    repository: Repository
    pins: dict[str, str]
    address: Callable[[str], str]
    """From a file of the site (its path below ``docs/``) to its address, as seen from the page."""
    chapters: tuple[tuple[int, str, str | None], ...] = ()
    """Number, title, and the page's path below ``docs/`` where the chapter is complete."""


def expand(text: str, context: Context, first_line: int = 1) -> Expanded:
    """Expand every call in a page's Markdown. ``first_line`` is the line that ``text`` begins on."""
    pieces: list[str] = []
    blocks: dict[str, str] = {}
    problems: list[str] = []
    position = 0
    for found in find_calls(text):
        if isinstance(found, DirectiveError):
            problems.append(f"{found.line + first_line - 1}: {found}")
            continue
        try:
            shown, said = _RENDERERS[found.name](found, context, len(blocks))
            problems += [f"{found.line + first_line - 1}: {line}" for line in said]
        except DirectiveError as error:
            problems.append(f"{error.line + first_line - 1}: {error}")
            shown = _badge(str(error))
        if found.name != "value":
            token = f"executed-block-{len(blocks)}-"
            blocks[token] = shown
            shown = token
        pieces += [text[position : found.start], shown]
        position = found.end
    pieces.append(text[position:])
    return Expanded("".join(pieces), blocks, tuple(problems))


def fill(page: str, blocks: dict[str, str]) -> str:
    """Put the blocks into the HTML that Markdown made of an expanded page."""
    for token, block in blocks.items():
        page = re.sub(rf"<p>\s*{token}\s*</p>|{token}", lambda _: block, page, count=1)
    return page


def program_path(snippet: Snippet) -> str:
    """Where the site keeps the downloadable program of a snippet."""
    return f"programs/{snippet.chapter}/{snippet.file}"


def notebook_path(snippet: Snippet) -> str:
    """Where the site's sources keep the notebook of a chapter's program."""
    return f"notebooks/{snippet.chapter}.ipynb"


def _outputs(call: Call, context: Context, number: int) -> tuple[str, list[str]]:
    snippet = _snippet(call, context)
    captures = resolve(context.repository, call)
    wanted = call.arguments["runner"]
    runners = [wanted] if wanted else [r for r in RUNNERS if r in snippet.settings.runners]
    verdicts = [look(context.repository, snippet, runner, context.pins) for runner in runners]
    panels = [
        (_title(runner, captures.get(runner)), _panel(verdict, captures.get(runner), call, snippet, context))
        for runner, verdict in zip(runners, verdicts)
    ]
    texts = {text_of(capture, call) for capture in captures.values()}
    if len(captures) == len(runners) > 1 and len(texts) == 1:
        others = " and ".join(title for title, _ in panels[1:])
        body = _head(panels[0][0], f"{others} printed the same") + panels[0][1]
        body += "".join(_foot(captures[r], snippet, context) for r in runners[1:])
    elif len(panels) == 1:
        body = _head(*panels[0][:1]) + panels[0][1]
    else:
        body = _tabs(panels, f"__tabbed_ev{number}")
    anchor = f"out-{snippet.name.replace('/', '-')}-{number}"
    said = [_complaint(verdict) for verdict in verdicts if not verdict.fresh]
    return f'<div class="evidence" id="{anchor}" data-snippet="{snippet.name}">{body}</div>', said


def _value(call: Call, context: Context, _: int) -> tuple[str, list[str]]:
    snippet = _snippet(call, context)
    captures = resolve(context.repository, call)
    if not captures:
        runner = call.arguments["runner"] or snippet.settings.runners[0]
        verdict = look(context.repository, snippet, runner, context.pins)
        return f'<span class="value value--missing">?</span>', [_complaint(verdict)]
    (runner, capture), = captures.items()
    verdict = look(context.repository, snippet, runner, context.pins)
    source = f"{snippet.name}, {_title(runner, capture)}: {capture.device}, {capture.versions}"
    shown = _plain(text_of(capture, call))
    said = [] if verdict.fresh else [_complaint(verdict)]
    return f'<span class="value" title="{html.escape(source)}" tabindex="0">{shown}</span>', said


def _program(call: Call, context: Context, _: int) -> tuple[str, list[str]]:
    snippet = _snippet(call, context)
    read = context.address(notebook_path(snippet))
    links = (
        f'<a class="md-button" download href="{context.address(program_path(snippet))}">{snippet.file}</a> '
        f'<a class="md-button" download href="{read.removesuffix(".html")}.ipynb">{snippet.chapter}.ipynb</a> '
        f'<a class="md-button" href="{read}">Read the notebook</a>'
    )
    command = f"{RUNNERS[snippet.settings.runners[0]].command} {snippet.file}"
    return f'<div class="program"><p>{links}</p><p><code>{command}</code></p></div>', []


def _chapters(call: Call, context: Context, _: int) -> tuple[str, list[str]]:
    rows = []
    for number, title, page in context.chapters:
        link = context.address(page) if page else f"{context.address('contents.md')}#chapter-{number}"
        state = "complete" if page else "planned"
        rows.append(
            f'<tr><td>{number}</td><td><a href="{link}">{html.escape(title)}</a></td>'
            f'<td><span class="state state--{state}">{state}</span></td></tr>'
        )
    head = "<thead><tr><th>Chapter</th><th>Title</th><th>State</th></tr></thead>"
    return f'<table class="chapters">{head}<tbody>{"".join(rows)}</tbody></table>', []


_RENDERERS: dict[str, Callable[[Call, Context, int], tuple[str, list[str]]]] = {
    "outputs": _outputs,
    "value": _value,
    "program": _program,
    "chapters": _chapters,
}


def _snippet(call: Call, context: Context) -> Snippet:
    name = call.arguments["snippet"]
    if name not in context.repository.snippets:
        raise DirectiveError(call.line, f"there is no snippet {name!r}")
    return context.repository.snippets[name]


def _complaint(verdict: Verdict) -> str:
    return f"{verdict}; {verdict.advice}"


def _title(runner: str, capture: Capture | None) -> str:
    if runner == "gpu" and capture is not None:
        return capture.device.split(",")[0].removeprefix("NVIDIA ").removeprefix("AMD ")
    return RUNNERS[runner].title


def _panel(verdict: Verdict, capture: Capture | None, call: Call, snippet: Snippet, context: Context) -> str:
    badge = "" if verdict.fresh else _badge(_complaint(verdict))
    if capture is None:
        return badge
    text = html.escape(text_of(capture, call), quote=False)
    return (
        f'{badge}<div class="highlight"><pre><code>{text}</code></pre></div>'
        f"{_foot(capture, snippet, context)}"
    )


def _head(title: str, agreement: str = "") -> str:
    said = f' <span class="evidence__agree">{html.escape(agreement)}</span>' if agreement else ""
    return (
        f'<div class="evidence__head"><span class="evidence__runner">{html.escape(title)}</span>{said}</div>'
    )


def _foot(capture: Capture, snippet: Snippet, context: Context) -> str:
    command = html.escape(f"{RUNNERS[capture.runner].command} {snippet.file}")
    facts = " · ".join(
        html.escape(fact) for fact in (capture.device, capture.versions.replace(", ", " · "), f"exit {capture.exit}")
    )
    address = context.address(program_path(snippet))
    return (
        f'<div class="evidence__foot">{facts} · <code>{command}</code> · '
        f'<a download href="{address}">{snippet.file}</a></div>'
    )


def _tabs(panels: list[tuple[str, str]], name: str) -> str:
    inputs = "".join(
        f'<input{" checked" if i == 1 else ""} id="{name}_{i}" name="{name}" type="radio">'
        for i in range(1, len(panels) + 1)
    )
    labels = "".join(
        f'<label for="{name}_{i}">{html.escape(title)}</label>' for i, (title, _) in enumerate(panels, start=1)
    )
    contents = "".join(f'<div class="tabbed-block">{panel}</div>' for _, panel in panels)
    return (
        f'<div class="tabbed-set tabbed-alternate" data-tabs="1:{len(panels)}">{inputs}'
        f'<div class="tabbed-labels">{labels}</div><div class="tabbed-content">{contents}</div></div>'
    )


def _badge(text: str) -> str:
    return f'<div class="evidence__badge">{html.escape(text)}</div>'


def _plain(text: str) -> str:
    """Text that Markdown passes through: whatever could mean something is an entity."""
    return "".join(c if c.isalnum() or c in " .,-+" else f"&#{ord(c)};" for c in text)
