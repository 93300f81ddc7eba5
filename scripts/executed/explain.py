"""Say in one screen what is known of a snippet's captures: what changed, what it prints, who depends on it."""

import subprocess
from collections.abc import Iterator
from difflib import unified_diff
from pathlib import Path

from executed.digest import source_digest
from executed.discover import Repository
from executed.judge import Verdict
from executed.lint import Page
from executed.report import difference
from executed.snippet import Snippet

_MOST_LINES = 10
"""Lines of one list that are shown; the rest is counted."""


def explain(repository: Repository, snippet: Snippet, verdicts: list[Verdict], pages: list[Page]) -> str:
    """Explain the captures of one snippet, whose ``verdicts`` come of a re-run where that was possible."""
    lines = [f"{snippet}"]
    told: dict[tuple[str, ...], str] = {}
    for verdict in verdicts:
        lines += ["", f"  {verdict.runner}: {verdict.state.value}" + (f", {verdict.reason}" if verdict.reason else "")]
        if verdict.recorded is not None:
            lines.append(f"    recorded by {verdict.recorded.versions} on {verdict.recorded.device}")
            changes = tuple(_changes(repository, snippet, verdict))
            first = told.setdefault(changes, verdict.runner)
            if first != verdict.runner and len(changes) > 1:
                changes = (f"changed since: the same as for {first}",)
            lines += [f"    {line}" for line in changes]
        lines += [f"    {line}" for line in _re_run(verdict)]
        if not verdict.fresh:
            lines.append(f"    {verdict.advice}")
    dependents = _clipped(list(_dependents(repository, snippet, pages)))
    lines += ["", "  depends on it:", *(f"    {line}" for line in dependents)]
    return "\n".join(lines)


def _changes(repository: Repository, snippet: Snippet, verdict: Verdict) -> Iterator[str]:
    """What git knows of the code since the capture was last committed."""
    if verdict.recorded.source == source_digest(repository, snippet, verdict.runner):
        yield "no line of its code has changed since (comments do not count)"
        return
    path = snippet.capture_path(verdict.runner)
    commit = _git(repository.root, "log", "-1", "--format=%H", "--", str(path)).strip()
    if not commit:
        yield "its code has changed since; the capture was never committed, so git cannot say what"
        return
    if _git(repository.root, "status", "--porcelain", "--", str(path)).strip():
        yield "the capture was renewed after its last commit; these are the changes since that commit"
    changed = False
    for part in (snippet, *repository.closure(snippet)):
        name = part.path.relative_to(repository.root).as_posix()
        old = _git(repository.root, "show", f"{commit}:./{name}").removeprefix("\ufeff")
        diff = unified_diff(old.splitlines(), part.text.splitlines(), lineterm="", n=0)
        moved = [line for line in list(diff)[2:] if line[0] in "+-" and line[1:].strip()]
        if moved:
            changed = True
            kind = "the snippet" if part is snippet else "an import"
            yield f"changed since: {name} ({kind if old else f'{kind}, not there before'})"
            yield from _clipped([f"  {line}" for line in moved])
    if not changed:
        yield "its code has changed since, but not a line of it since the capture was committed"


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
        for number in page.lines_using(snippet.name):
            none = False
            where = page.path.relative_to(repository.root).as_posix()
            yield f"{where}:{number}: {_shortened(_sentence(page, number, snippet))}"
    for other in repository.snippets.values():
        if snippet in repository.closure(other):
            none = False
            yield f"{other.path.relative_to(repository.root)}: imports or bundles it"
    if none:
        yield "nothing"


def _sentence(page: Page, number: int, snippet: Snippet) -> str:
    """A line of a page from the start of the sentence that depends on a snippet."""
    lines = page.text.split("\n")
    begin = sum(len(line) + 1 for line in lines[: number - 1])
    calls = (c for c in page.calls if c.line == number and snippet.name in page.text[c.start : c.end])
    first = next((call.start - begin for call in calls), 0)
    return lines[number - 1][lines[number - 1].rfind(". ", 0, first) + 1 :].strip()


def _clipped(lines: list[str]) -> list[str]:
    rest = len(lines) - _MOST_LINES
    return lines if rest <= 0 else [*lines[:_MOST_LINES], f"… and {rest} lines more"]


def _shortened(line: str, width: int = 100) -> str:
    return line if len(line) <= width else f"{line[: width - 1]}…"


def _git(root: Path, *arguments: str) -> str:
    try:
        return subprocess.run(
            ["git", *arguments], cwd=root, capture_output=True, encoding="utf-8", errors="replace"
        ).stdout
    except OSError:
        return ""
