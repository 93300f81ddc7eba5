"""Check that pages and snippets hold together, without running anything.

Every include and every call of a page must resolve, and every region, snippet and capture must be
used.
"""

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from executed import agree, gallery, glossary, resolve
from executed.assemble import assemble
from executed.capture import CaptureError, read
from executed.compare import label_of
from executed.directives import Call, DirectiveError, find_calls
from executed.discover import Repository, capture_files
from executed.includes import Include, find_includes, regions
from executed.notebook import of_chapter
from executed.runners import RUNNERS
from executed.snippet import Snippet, SnippetError
from executed.sources import Number, Source, find_numbers, sections

_FENCE = re.compile(r"^\s*(?P<mark>`{3,}|~{3,})\s*(?P<language>[\w+-]*)")
_CODE = ("bash", "css", "html", "markdown", "python", "toml", "yaml")
"""Languages of code that a page may show without including it."""
COLUMNS = 72
"""Longest line of a snippet: it must not wrap on a page."""


_REFERENCE = re.compile(r"\[\s*([^\s|\[\]]+)\s*\|")
"""A snippet in an expression over captured values."""


@dataclass(frozen=True)
class Page:
    """One Markdown page: its path, and what it includes and calls."""

    path: Path
    includes: tuple[Include, ...]
    calls: tuple[Call, ...]
    errors: tuple[str, ...]
    """Includes and calls that cannot be read."""

    text: str = field(default="", repr=False)

    def uses(self, name: str) -> bool:
        """Whether it includes code of a snippet, or shows something that it printed."""
        return bool(self.lines_using(name))

    def lines_using(self, name: str) -> list[int]:
        """The lines that include code of a snippet, or show something that it printed."""
        return sorted(self._lines.get(name, ()))

    @property
    def names(self) -> Collection[str]:
        """The snippets that it uses."""
        return self._lines.keys()

    @cached_property
    def _lines(self) -> dict[str, set[int]]:
        found: dict[str, set[int]] = {}
        for include in self.includes:
            found.setdefault(include.snippet, set()).add(include.line)
        for call in self.calls:
            given = [str(argument) for argument in call.arguments.values()]
            named = [match[1] for argument in given for match in _REFERENCE.finditer(argument)]
            for name in (*named, *filter(None, [call.arguments.get("snippet")])):
                found.setdefault(name, set()).add(call.line)
        return found


def pages(repository: Repository) -> list[Page]:
    """Read every page of the book."""
    if "pages" not in repository.memory:
        paths = sorted(repository.docs.rglob("*.md"))
        repository.memory["pages"] = [read_page(path, path.read_text("utf-8")) for path in paths]
    return repository.memory["pages"]


def users(repository: Repository) -> dict[str, list[Page]]:
    """By name of a snippet, the pages that use it. To ask each page about each snippet takes a large book too long."""
    found: dict[str, list[Page]] = {}
    for page in pages(repository):
        for name in page.names:
            found.setdefault(name, []).append(page)
    return found


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
    return Page(path, tuple(includes), tuple(calls), tuple(errors), text)


def check(repository: Repository) -> list[str]:
    """Everything that is wrong, each as ``file:line: what``."""
    read_pages = pages(repository)
    errors = list(repository.errors)
    known = {name: regions(snippet) for name, snippet in repository.snippets.items()}
    for name, snippet in repository.snippets.items():
        errors += known[name][1]
        errors += _settings(snippet)
        errors += _wide_lines(snippet)
        errors += filter(None, [agree.complaint(repository, snippet)])
        try:
            assemble(repository, snippet)
            if snippet.settings.bundle:
                of_chapter(repository, snippet)
        except SnippetError as error:
            errors.append(str(error))
        for speed in snippet.settings.speeds:
            for source in (speed.over_library, speed.of_ceiling):
                try:
                    resolve.ratio(repository, snippet, source)
                except SnippetError as error:
                    errors.append(str(error))
    errors += _unprinted_labels(repository)
    for page in read_pages:
        errors += page.errors
        for include in page.includes:
            errors += _include(repository, page, include, known)
        for call in page.calls:
            try:
                resolve.check(repository, call)
            except DirectiveError as error:
                errors.append(f"{page.path}:{error.line}: {error}")
    for page in read_pages:
        errors += _numbers(repository, page)
        errors += _typed_output(page)
        errors += _reference(repository, page, read_pages)
    errors += _unused(repository, read_pages, known)
    errors += _orphans(repository)
    return list(dict.fromkeys(errors))


def count_numbers(repository: Repository, page: Page) -> dict[Source, int]:
    """How many numbers a page shows, by source. What blocks of output show is not counted."""
    counts = dict.fromkeys(Source, 0)
    of = {"value": Source.CAPTURED, "claim": Source.CAPTURED, "hand": Source.DERIVED, "cite": Source.CITED}
    for call in page.calls:
        if call.name in of:
            counts[of[call.name]] += 1
    for number in stated_numbers(repository, page):
        counts[number.source] += 1
    return counts


def stated_numbers(repository: Repository, page: Page) -> tuple[Number, ...]:
    """The numbers that a page states itself, not through a call."""
    key = ("numbers", page.path)
    if key not in repository.memory:
        found = find_numbers(page.text, included_code(repository, page), section_numbers(repository))
        repository.memory[key] = tuple(found)
    return repository.memory[key]


def included_code(repository: Repository, page: Page) -> str:
    """All code that a page includes, for telling its constants from numbers without a source."""
    names = {include.snippet for include in page.includes} & set(repository.snippets)
    return "\n".join(repository.snippets[name].text for name in sorted(names))


def section_numbers(repository: Repository) -> frozenset[str]:
    """The numbers of all sections of the book."""
    if "sections" not in repository.memory:
        repository.memory["sections"] = sections(page.text for page in pages(repository))
    return repository.memory["sections"]


def _numbers(repository: Repository, page: Page) -> Iterator[str]:
    for number in stated_numbers(repository, page):
        if number.source is Source.UNSOURCED:
            yield (
                f"{page.path}:{number.line}: {number.text!r} has no source; bind it with value(…), derive it "
                "with hand(…), or cite it with cite(…)"
            )


def _typed_output(page: Page) -> Iterator[str]:
    """Fenced blocks that hold neither an include nor code of a named language: output, typed by hand."""
    opened: tuple[int, str, str] | None = None
    included = False
    for number, line in enumerate(page.text.split("\n"), start=1):
        match = _FENCE.match(line)
        if opened is None and match:
            opened, included = (number, match["mark"], match["language"]), False
        elif opened is not None and match and match["mark"] == opened[1] and not match["language"]:
            if not included and opened[2] not in _CODE:
                yield (
                    f"{page.path}:{opened[0]}: a block of {opened[2] or 'no language'} that includes nothing: "
                    "output is never typed, show it with outputs(…)"
                )
            opened = None
        elif opened is not None:
            included = included or line.lstrip().startswith("--8<-- ")


def _reference(repository: Repository, page: Page, read_pages: list[Page]) -> Iterator[str]:
    """What is wrong with the glossary or the gallery of errors, where the page is either."""
    if page.path == repository.docs / glossary.PAGE:
        yield from glossary.complaints(str(page.path), page.text, [other.text for other in read_pages if other != page])
    if page.path == repository.docs / gallery.PAGE:
        yield from gallery.complaints(str(page.path), page.text, repository)


def _settings(snippet: Snippet) -> Iterator[str]:
    for runner in snippet.settings.runners:
        if runner not in RUNNERS:
            yield f"{snippet.path}: there is no runner {runner!r}; there are {', '.join(RUNNERS)}"
    for label in snippet.settings.labels:
        timing = {runner for runner in snippet.settings.runners if runner in RUNNERS and RUNNERS[runner].times}
        if label.kind == "measured" and timing != set(snippet.settings.runners):
            yield (
                f'{snippet.path}: label "{label.pattern}" is measured, so only the gpu runner may print it; '
                f"runners are {', '.join(snippet.settings.runners)}"
            )


def _unprinted_labels(repository: Repository) -> Iterator[str]:
    """Labels that a snippet declares and none of its captures prints."""
    for snippet in repository.snippets.values():
        if snippet.settings.bundle:
            continue  # Its labels are those of its parts.
        printed = [capture.text for capture in agree.printed(repository, snippet).values()]
        if len(printed) < len([r for r in snippet.settings.runners if snippet.prints(r)]):
            continue  # Until all runners have run, nobody knows.
        if "compiler" in snippet.settings.runners:
            try:
                facts = read(snippet.capture_path("compiler"))  # Their lines have labels too: the targets.
            except CaptureError:
                facts = None
            printed += [facts.text] if facts else []
        lines = [line for text in printed for line in text.split("\n")]
        for label in snippet.settings.labels:
            if not any(label_of(line, [label]) for line in lines):
                yield f'{snippet.path}: it declares the label "{label.pattern}", but prints no such label'


def _wide_lines(snippet: Snippet) -> Iterator[str]:
    for number, line in enumerate(snippet.text.split("\n"), start=1):
        if len(line) > COLUMNS:
            yield f"{snippet.path}:{number}: {len(line)} columns; a page shows {COLUMNS} without wrapping"


def _include(repository: Repository, page: Page, include: Include, known: dict) -> Iterator[str]:
    where = f"{page.path}:{include.line}"
    path = repository.folder / include.path
    if not path.resolve().is_relative_to(repository.folder.resolve()):
        yield f"{where}: {include.path} leaves {repository.folder.name}/"
    elif include.snippet not in repository.snippets or path != repository.snippets[include.snippet].path:
        yield f"{where}: there is no snippet {include.path!r}"
    elif include.region is not None and include.region not in known[include.snippet][0]:
        names = ", ".join(known[include.snippet][0]) or "none"
        yield f"{where}: {include.snippet} has no region {include.region!r}; it has {names}"


def _unused(repository: Repository, read_pages: list[Page], known: dict) -> Iterator[str]:
    used = repository.snippets.keys() & users(repository).keys()
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
