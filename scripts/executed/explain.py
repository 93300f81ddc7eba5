"""Say in one screen what is known of a snippet's captures: what changed, what it prints, who depends on it."""

import subprocess
from collections.abc import Iterator
from pathlib import Path

from executed.discover import Repository
from executed.judge import Verdict
from executed.lint import Page
from executed.report import difference
from executed.snippet import Snippet

_MOST_LINES = 24
"""Lines of one difference that are shown; the rest is counted."""


def explain(repository: Repository, snippet: Snippet, verdicts: list[Verdict], pages: list[Page]) -> str:
    """Explain the captures of one snippet, whose ``verdicts`` come of a re-run where that was possible."""
    lines = [f"{snippet}"]
    for verdict in verdicts:
        lines += ["", f"  {verdict.runner}: {verdict.state.value}" + (f", {verdict.reason}" if verdict.reason else "")]
        if verdict.recorded is not None:
            lines.append(f"    recorded by {verdict.recorded.versions} on {verdict.recorded.device}")
            lines += [f"    {line}" for line in _changes(repository, snippet, verdict.runner)]
        lines += [f"    {line}" for line in _re_run(verdict)]
        if not verdict.fresh:
            lines.append(f"    {verdict.advice}")
    lines += ["", "  depends on it:", *_dependents(repository, snippet, pages)]
    return "\n".join(lines)


def _changes(repository: Repository, snippet: Snippet, runner: str) -> Iterator[str]:
    """What git knows of the code since the capture was last committed."""
    commit = _git(repository.root, "log", "-1", "--format=%H", "--", str(snippet.capture_path(runner))).strip()
    if not commit:
        yield "the capture was never committed, so git cannot say what changed since"
        return
    changed = False
    for part in (snippet, *repository.closure(snippet)):
        diff = _git(repository.root, "diff", "--unified=0", commit, "--", str(part.path)).split("\n")
        moved = [line for line in diff if line[:1] in "+-" and line[:3] not in ("+++", "---") and line[1:].strip()]
        if moved:
            changed = True
            kind = "the snippet" if part is snippet else "an import"
            yield f"changed since: {part.path.relative_to(repository.root)} ({kind})"
            yield from _clipped([f"  {line}" for line in moved])
    if not changed:
        yield "no line of its code has changed since the capture was committed"


def _re_run(verdict: Verdict) -> Iterator[str]:
    if verdict.printed is None:
        yield "not run here"
    elif verdict.renewed is None:
        yield "a re-run prints the same" if verdict.fresh else "a re-run fails; it prints:"
        if not verdict.fresh:
            yield from _clipped([f"| {line}" for line in verdict.printed.rstrip("\n").split("\n")])
    elif verdict.recorded is None or verdict.recorded.text == verdict.renewed.text:
        yield "a re-run prints the same" if verdict.recorded else "a re-run prints what would be the first capture"
    else:
        yield "a re-run prints:"
        yield from _clipped(difference(verdict.recorded, verdict.renewed))


def _dependents(repository: Repository, snippet: Snippet, pages: list[Page]) -> Iterator[str]:
    none = True
    for page in pages:
        lines = page.text.split("\n")
        for number in page.lines_using(snippet.name):
            none = False
            yield f"    {page.path.relative_to(repository.root)}:{number}: {_shortened(lines[number - 1].strip())}"
    for other in repository.snippets.values():
        if snippet in repository.closure(other):
            none = False
            yield f"    {other.path.relative_to(repository.root)}: imports or bundles it"
    if none:
        yield "    nothing"


def _clipped(lines: list[str]) -> list[str]:
    rest = len(lines) - _MOST_LINES
    return lines if rest <= 0 else [*lines[:_MOST_LINES], f"… and {rest} lines more"]


def _shortened(line: str, width: int = 100) -> str:
    return line if len(line) <= width else f"{line[: width - 1]}…"


def _git(root: Path, *arguments: str) -> str:
    try:
        return subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True).stdout
    except OSError:
        return ""
