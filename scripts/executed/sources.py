"""Find the numbers of a page, and say where each comes from.

A number here is one that could be a measurement: with a decimal point or an exponent, with a unit,
or with a times sign. What is captured, cited or derived stands in a call and so is not found; code
constants, sections, versions and dates are told apart by rule. What is left has no source.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from html.parser import HTMLParser

_UNIT = r"(?:[nmuµ]?s|[kMGT]?Hz|[kKMGT]i?B(?:/s)?|[GTP]FLOP(?:/?s|S)?|W|%)"
_NUMBER = re.compile(
    rf"(?<![\w.^{{_\\-])[-+−]?(?:"
    rf"(?P<power>(?:\d+(?:\.\d+)?\s*(?:\\cdot|\\times|·|×)\s*)?10\s*(?:\^\s*\{{?\s*[-+]?\d+\s*\}}?|[⁻⁺⁰¹²³⁴-⁹]+))"
    rf"|(?P<exponent>\d+(?:\.\d+)?[eE][-+]?\d+)(?!\w)"
    rf"|(?P<decimal>\d[\d,]*\.\d+(?:\.\d+)*)(?:\s?(?P<of>{_UNIT}|[×x]))?(?![\w])"
    rf"|(?P<whole>\d[\d,]*)\s?(?:{_UNIT}|[×x])(?![\w])"
    rf"|(?:×\s?)(?P<times>\d[\d,]*)(?!\w)"
    rf")"
)
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b")
_VERSIONED = re.compile(
    r"(?i)\b(?:python|torch|pytorch|triton|numpy|mojo|mkdocs|cuda|ptx|driver|version|versions|gfx|sm_)\W{0,3}$"
)
_HEADING = re.compile(r"^#{1,6} .*?(?P<number>\d+\.\d+(?:\.\d+)?)", re.MULTILINE)
_LISTED = re.compile(r"(?:^|[\s(>])(?P<number>\d{1,2}\.\d+(?:\.\d+)?)(?=[\s:.,;)])")
_INCLUDE = re.compile(r"^\s*--8<-- ")
_NOT_TEXT = re.compile(
    r"\{\{.*?\}\}"  # calls
    r"|<!--.*?-->|</?[a-zA-Z][^<>]*>"  # HTML tags, with the numbers of their attributes
    r"|(?<=\])\([^)\s]*\)"  # addresses of links
    r"|\{[#.:][^}]*\}"  # attribute lists
    r"|https?://\S+"
)


class Source(Enum):
    """Where a number on a page comes from."""

    CAPTURED = "captured"
    CITED = "cited"
    DERIVED = "derived"
    CODE = "code"
    UNSOURCED = "unsourced"


@dataclass(frozen=True)
class Number:
    """One number in the text of a page."""

    line: int
    text: str
    source: Source


def sections(pages: Iterator[str]) -> frozenset[str]:
    """The section numbers of the book: those of headings, and those that the contents page lists."""
    return frozenset(
        match["number"] for page in pages for pattern in (_HEADING, _LISTED_SECTION) for match in pattern.finditer(page)
    )


# On the contents page a chapter lists its sections in bold: **2.1** …
_LISTED_SECTION = re.compile(r"\*\*(?P<number>\d{1,2}\.\d+)\*\*")


def find_numbers(text: str, code: str, known_sections: frozenset[str]) -> Iterator[Number]:
    """Yield the numbers that a page's Markdown states itself, not through a call.

    ``code`` is all code that the page includes: a number that stands there, digit for digit, is a
    constant of that code.
    """
    blank = _NOT_TEXT.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    constants = set(re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", code))
    for number, line in enumerate(blank.split("\n"), start=1):
        if _INCLUDE.match(line):
            continue
        line = _DATE.sub(lambda match: " " * len(match[0]), line)
        for match in _NUMBER.finditer(line):
            if _is_section(match, known_sections) or _is_version(line, match):
                continue
            plain = match[0].strip("+-−").strip()
            source = Source.CODE if plain in constants else Source.UNSOURCED
            yield Number(number, match[0].strip(), source)


def find_in_html(page: str, code: str, known_sections: frozenset[str]) -> Iterator[Number]:
    """Yield the unsourced numbers of a rendered page; their line is 0, as HTML has none to name."""
    reader = _Text()
    reader.feed(page)
    for number in find_numbers(reader.text, code, known_sections):
        if number.source is Source.UNSOURCED:
            yield Number(0, number.text, number.source)


def _is_section(match: re.Match, known: frozenset[str]) -> bool:
    return match["decimal"] in known and not match["of"]


def _is_version(line: str, match: re.Match) -> bool:
    if not match["decimal"] or match["of"]:
        return False
    return match["decimal"].count(".") > 1 or bool(_VERSIONED.search(line[: match.start()]))


class _Text(HTMLParser):
    """The text of a page without what the engine or an included file put there."""

    SKIPPED = {"evidence", "value", "cited", "derived", "claim", "highlight", "ledger", "chapters", "headerlink"}
    VOID = {"br", "hr", "img", "input", "link", "meta", "wbr", "path", "rect", "line", "circle", "use", "stop"}

    def __init__(self):
        super().__init__()
        self.text = ""
        self._stack: list[bool] = []

    def handle_starttag(self, tag, attributes):
        if tag in self.VOID:
            return
        classes = set((dict(attributes).get("class") or "").split())
        hidden = bool(self._stack and self._stack[-1])
        self._stack.append(hidden or tag in ("math", "style", "script", "code") or bool(classes & self.SKIPPED))

    def handle_startendtag(self, tag, attributes):
        pass

    def handle_endtag(self, tag):
        if tag not in self.VOID and self._stack:
            self._stack.pop()
        if tag in ("p", "li", "td", "th", "h1", "h2", "h3", "h4", "figcaption", "summary", "div"):
            self.text += "\n"

    def handle_data(self, data):
        if not (self._stack and self._stack[-1]):
            self.text += data
