"""Check that pages and snippets hold together, without running anything.

Every include and every call of a page must resolve, and every region, snippet and capture must be
used.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from executed import extract
from executed.assemble import assemble
from executed.capture import Capture, CaptureError, read
from executed.directives import Call, DirectiveError, find_calls
from executed.discover import Repository, capture_files
from executed.includes import Include, find_includes, regions
from executed.runners import RUNNERS
from executed.snippet import Snippet, SnippetError

COLUMNS = 72
"""Longest line of a snippet: it must not wrap on a page."""


@dataclass(frozen=True)
class Page:
    """One Markdown page: its path, and what it includes and calls."""

    path: Path
    includes: tuple[Include, ...]
    calls: tuple[Call, ...]
    errors: tuple[str, ...]
    """Includes and calls that cannot be read."""

    def uses(self, name: str) -> bool:
        return any(include.snippet == name for include in self.includes) or any(
            call.arguments.get("snippet") == name for call in self.calls
        )


def pages(repository: Repository) -> list[Page]:
    """Read every page of the book."""
    return [read_page(path, path.read_text("utf-8")) for path in sorted(repository.docs.rglob("*.md"))]


def read_page(path: Path, text: str) -> Page:
    """Find the includes and calls of one page."""
    includes, calls, errors = [], [], []
    for found in find_includes(text):
        if isinstance(found, Include):
            includes.append(found)
        else:
            errors.append(f"{path}:{found[0]}: {found[1]}")
    for found in find_calls(text):
        if isinstance(found, Call):
            calls.append(found)
        else:
            errors.append(f"{path}:{found.line}: {found}")
    return Page(path, tuple(includes), tuple(calls), tuple(errors))


def check(repository: Repository) -> list[str]:
    """Everything that is wrong, each as ``file:line: what``."""
    read_pages = pages(repository)
    errors = list(repository.errors)
    known = {name: regions(snippet) for name, snippet in repository.snippets.items()}
    for name, snippet in repository.snippets.items():
        errors += known[name][1]
        errors += _settings(snippet)
        errors += _wide_lines(snippet)
        try:
            assemble(repository, snippet)
        except SnippetError as error:
            errors.append(str(error))
    for page in read_pages:
        errors += page.errors
        for include in page.includes:
            errors += _include(repository, page, include, known)
        for call in page.calls:
            try:
                resolve(repository, call)
            except DirectiveError as error:
                errors.append(f"{page.path}:{error.line}: {error}")
    errors += _unused(repository, read_pages, known)
    errors += _orphans(repository)
    return list(dict.fromkeys(errors))


def resolve(repository: Repository, call: Call) -> dict[str, Capture]:
    """The captures that a call shows, by runner. Raises ``DirectiveError``.

    A capture that was never made is not the call's fault: that is a state, and left to ``judge``.
    """
    if "snippet" not in call.arguments:
        return {}
    name = call.arguments["snippet"]
    snippet = repository.snippets.get(name)
    if snippet is None:
        raise DirectiveError(call.line, f"there is no snippet {name!r}")
    if call.name == "program" and not snippet.settings.bundle:
        raise DirectiveError(call.line, f"{name} bundles nothing: it is no chapter's program")
    wanted = call.arguments.get("runner")
    if wanted is not None and wanted not in snippet.settings.runners:
        declared = ", ".join(snippet.settings.runners)
        raise DirectiveError(call.line, f"{name} has no runner {wanted!r}; it declares {declared}")
    runners = [wanted] if wanted else [r for r in RUNNERS if r in snippet.settings.runners]
    if call.name == "value":
        runners = runners[:1]
    try:
        found = {r: c for r in runners if (c := read(snippet.capture_path(r))) is not None}
        for capture in found.values():
            text_of(capture, call)
    except (CaptureError, extract.ExtractError) as error:
        raise DirectiveError(call.line, f"{name}: {error}") from None
    return found


def text_of(capture: Capture, call: Call) -> str:
    """The part of a capture that a call shows. Raises ``ExtractError``."""
    title = call.arguments.get("section")
    text = capture.text if title is None else extract.section(capture.text, title)
    if call.name == "value":
        return extract.value(text, call.arguments["label"], call.arguments["format"])
    return text


def _settings(snippet: Snippet) -> Iterator[str]:
    for runner in snippet.settings.runners:
        if runner not in RUNNERS:
            yield f"{snippet.path}: there is no runner {runner!r}; there are {', '.join(RUNNERS)}"
    for label in snippet.settings.labels:
        if label.kind == "measured" and snippet.settings.runners != ("gpu",):
            yield (
                f'{snippet.path}: label "{label.pattern}" is measured, so only the gpu runner may print it; '
                f"runners are {', '.join(snippet.settings.runners)}"
            )


def _wide_lines(snippet: Snippet) -> Iterator[str]:
    for number, line in enumerate(snippet.text.split("\n"), start=1):
        if len(line) > COLUMNS:
            yield f"{snippet.path}:{number}: {len(line)} columns; a page shows {COLUMNS} without wrapping"


def _include(repository: Repository, page: Page, include: Include, known: dict) -> Iterator[str]:
    where = f"{page.path}:{include.line}"
    path = repository.folder / f"{include.snippet}.py"
    if not path.resolve().is_relative_to(repository.folder.resolve()):
        yield f"{where}: {include.snippet}.py leaves {repository.folder.name}/"
    elif include.snippet not in repository.snippets:
        yield f"{where}: there is no snippet {include.snippet!r}"
    elif include.region is not None and include.region not in known[include.snippet][0]:
        names = ", ".join(known[include.snippet][0]) or "none"
        yield f"{where}: {include.snippet} has no region {include.region!r}; it has {names}"


def _unused(repository: Repository, read_pages: list[Page], known: dict) -> Iterator[str]:
    used = {name for name in repository.snippets if any(page.uses(name) for page in read_pages)}
    for name in list(used):
        try:
            used |= {part.name for part in repository.closure(repository.snippets[name])}
        except SnippetError:
            continue  # Already among the repository's errors.
    shown = {(include.snippet, include.region) for page in read_pages for include in page.includes}
    for name, snippet in repository.snippets.items():
        if name not in used:
            yield f"{snippet.path}: no page uses {name}; show it, or delete it and its captures"
        for region, line in known[name][0].items():
            if (name, region) not in shown:
                yield f"{snippet.path}:{line}: no page includes region {region!r}"


def _orphans(repository: Repository) -> Iterator[str]:
    for name, runner, path in capture_files(repository.root):
        snippet = repository.snippets.get(name)
        if snippet is None:
            yield f"{path}: orphan: a capture of {name}, which is gone; delete the file"
        elif runner not in snippet.settings.runners:
            yield f"{path}: orphan: {name} declares no runner {runner!r}; delete the file"
