"""Find the running text of a rendered page: what a reader reads as sentences, and the code within them.

Headings, tables, links, listings, mathematics, figures, and what is folded away are none of it.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from html.parser import HTMLParser
from typing import Literal

_SKIPPED = {
    "a", "button", "details", "h1", "h2", "h3", "h4", "h5", "h6", "label", "math", "pre", "script", "style", "summary",
    "svg", "table",
}
_SKIPPED_CLASSES = {"arithmatex", "admonition-title", "evidence", "message", "value", "claim", "derived"}
_LISTING = re.compile(r"<pre\b.*?</pre>", re.DOTALL)
_VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}


@dataclass(frozen=True)
class Run:
    """A stretch of running text in some HTML, by its offsets there."""

    start: int
    end: int
    kind: Literal["text", "code"]
    """``code`` is a whole ``<code>`` element; no ``text`` has a tag or an entity in it."""
    section: int
    """How many headings of the second level stand above it."""


@dataclass(frozen=True)
class Link:
    """A stretch of some HTML that shall lead somewhere, by its offsets there."""

    start: int
    end: int
    address: str
    title: str
    """As plain text."""


def link(html: str, links: Iterable[Link]) -> str:
    """Put links, none over another, into some HTML."""
    pieces: list[str] = []
    position = 0
    for one in sorted(links, key=lambda one: one.start):
        opening = f'<a class="term" href="{one.address}" title="{escape(one.title)}">'
        pieces += [html[position : one.start], opening, html[one.start : one.end], "</a>"]
        position = one.end
    return "".join([*pieces, html[position:]])


def runs(html: str) -> Iterator[Run]:
    """Yield the running text of some HTML, in order."""
    yield from _Reader(html).found


class _Reader(HTMLParser):
    def __init__(self, html: str):
        super().__init__(convert_charrefs=False)
        self.found: list[Run] = []
        # Most of a page is listings, each of whose words is an element; a comment as long keeps every offset.
        html = _LISTING.sub(lambda match: f"<!--{' ' * (len(match[0]) - 7)}-->", html)
        # The parser gives places by line and column.
        self._lines = [0, *(match.end() for match in re.finditer("\n", html))]
        self._stack: list[tuple[str, bool]] = []
        self._section = 0
        self._code: int | None = None
        self.feed(html)
        self.close()

    @property
    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    @property
    def _skipped(self) -> bool:
        return bool(self._stack and self._stack[-1][1])

    def handle_starttag(self, tag, attributes):
        self._section += tag == "h2"
        if tag in _VOID:
            return
        classes = set((dict(attributes).get("class") or "").split())
        skipped = self._skipped or tag in _SKIPPED or bool(classes & _SKIPPED_CLASSES)
        if tag == "code" and not skipped:
            self._code = self._at
        self._stack.append((tag, skipped or tag == "code"))

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        names = [name for name, _ in self._stack]
        if tag not in names:
            return
        del self._stack[len(names) - 1 - names[::-1].index(tag) :]
        if tag == "code" and self._code is not None:
            self.found.append(Run(self._code, self._at + len("</code>"), "code", self._section))
            self._code = None

    def handle_data(self, data):
        if not self._skipped:
            self.found.append(Run(self._at, self._at + len(data), "text", self._section))

