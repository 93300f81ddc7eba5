"""Gather what the site needs from the repository: chapters, and files made for download."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from executed import lint, runners
from executed.assemble import assemble
from executed.context import Context, notebook_page_path, notebook_path, program_path
from executed.discover import Repository, discover
from executed.notebook import of_chapter
from executed.snippet import Snippet, SnippetError
from executed.sources import find_in_html

_CHAPTER = re.compile(r"^## Chapter (?P<number>\d+): (?P<title>.+?)\s*(?:\{.*\})?$", re.MULTILINE)


shared: dict[Path, tuple[Repository, list[str]]] = {}
"""What ``scripts/build`` has read and found wrong already, by its root, where it builds the site itself."""


@dataclass(frozen=True)
class Book:
    """The repository as the site sees it, read once for each build."""

    repository: Repository
    pins: dict[str, str]
    chapters: tuple[tuple[int, str, str | None], ...]
    """Number, title, and the page's path below ``docs/`` where the chapter is complete."""
    problems: tuple[str, ...]
    """What the lint found."""

    def context(self, address: Callable[[str], str]) -> Context:
        """What a page needs to expand its calls; ``address`` turns site files into its links."""
        return Context(self.repository, self.pins, address, self.chapters)


    def unsourced(self, name: str, html: str) -> list[str]:
        """What is wrong with the numbers of a rendered page (``name`` below ``docs/``)."""
        path = self.repository.docs / name
        page = next((page for page in lint.pages(self.repository) if page.path == path), None)
        if page is None:
            return []  # Made by the engine from captures alone.
        found = find_in_html(html, lint.included_code(self.repository, page), lint.section_numbers(self.repository))
        return [f"docs/{name}: {number.text!r} has no source; it stands in the rendered page" for number in found]


def open_book(root: Path) -> Book:
    """Read everything that building the site needs."""
    repository, found = shared.pop(root, None) or _read(root)
    contents = (repository.docs / "contents.md").read_text("utf-8")
    chapters = tuple(
        (int(m["number"]), m["title"], _page(repository, int(m["number"]))) for m in _CHAPTER.finditer(contents)
    )
    return Book(repository, runners.pins(root), chapters, tuple(found))


def _read(root: Path) -> tuple[Repository, list[str]]:
    repository = discover(root)
    return repository, lint.check(repository)


def programs(book: Book) -> Iterator[tuple[str, str]]:
    """Yield the site path and the text of every snippet's self-contained program."""
    for snippet in book.repository.snippets.values():
        try:
            yield program_path(snippet), assemble(book.repository, snippet)
        except SnippetError:
            continue  # Among the book's problems already.


def notebooks(book: Book) -> Iterator[tuple[str, str, str]]:
    """Yield the site path of every chapter's notebook, the path of its page, and its text.

    A chapter whose program or parts lack a capture has no notebook yet.
    """
    for snippet in book.repository.snippets.values():
        try:
            text = of_chapter(book.repository, snippet) if snippet.settings.bundle else None
        except SnippetError:
            continue  # Among the book's problems already.
        if text is not None:
            yield notebook_path(snippet), notebook_page_path(snippet), text


def _page(repository: Repository, number: int) -> str | None:
    found = sorted(repository.docs.glob(f"{number:02d}-*.md"))
    return found[0].name if found else None
