"""Find the numbers of a page, and say where each comes from.

A number here is one that could be a measurement: with a decimal point or an exponent, with a unit,
or with a times sign. What is captured, cited or derived stands in a call and so is not found; code
constants, sections, versions and dates are told apart by rule. What is left has no source.
"""

import html
import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from html.parser import HTMLParser

from executed.directives import Call, find_calls

# What may stand between a number and its unit: blanks, a hyphen, one end of a line.
_GAP = r"[^\S\n]*(?:\n[^\S\n]*(?:>[^\S\n]*)*(?=[^\W\d_]|[%×]))?"
_UNIT = (
    r"(?:[nmuµμ]?s|[kMGT]?Hz|[kKMGTP]i?B(?:/s)?|[kMGTP]?FLOPS?(?:/s)?|[kMG]?W|[°%]C?"
    r"|per ?cent|(?:(?:nano|micro|milli)?second|minute|(?:kilo|mega|giga|tera)(?:byte|flop))s?"
    r"|fold|times(?=\s+(?:as|the|more|less|fewer|\w+er)\b))"
)
_WHOLE = r"\d[\d,_]*"
_TIMES = r"[×✕✖]"
_NUMBER = re.compile(
    rf"(?<![\w.])[-+−]?(?:"
    rf"(?P<power>(?:(?:\d+(?:\.\d+)?|\.\d+)\s*[·⋅×*]\s*)?10\s*"
    rf"(?:(?:\^|\*\*)\s*\{{?\s*[-+−]?\d+\s*\}}?|[⁻⁺⁰¹²³⁴-⁹]+))"
    rf"|(?P<exponent>(?:\d+\.?\d*|\.\d+)[eE](?:[-+−]\d+|\d+(?!\w)|\d+(?={_UNIT}(?!\w))))"
    rf"|(?P<decimal>{_WHOLE}\.\d+(?:\.\d+)*|\.\d+(?!\.?\w)|\d+\.(?=[],]))"
    rf"(?:{_GAP}-?(?P<of>{_UNIT}(?!\w)|{_TIMES}|x(?!\w)))?"
    # Two whole numbers with a times sign between them are a shape.
    rf"|(?P<whole>{_WHOLE})(?:{_GAP}{_UNIT}(?!\w)|-{_UNIT}(?<!-s)(?<!-W)(?!\w)"
    rf"|{_GAP}(?:{_TIMES}|x(?!\w))(?!\s?\d))"
    rf"|(?<!\d)(?<!\d\s){_TIMES}\s?\d[\d,.]*(?<=\d)"
    rf")"
)
_DATE = re.compile(r"\b\d{4}-\d\d-\d\d\b|\b(?:19|20)\d\ds\b|\b[01]s\b")
_VERSION_OF = (
    r"(?:python|pytorch|torch|triton|numpy|mojo|mkdocs|material|cuda|cudnn|nvcc|rocm|ptx|llvm|gcc|clang|glibc"
    r"|ubuntu|driver|capability|versions?)"
)
_AND = r"(?:,| and| or| to|–)\s"
_BEFORE_VERSION = re.compile(rf"(?i)\b{_VERSION_OF}\s?(?:[=~<>!]=|[<>≥≤-])?\s?(?:\d+\.\d+{_AND})*$")
_BEFORE_NAMED = re.compile(r"[A-Za-z]\w+-$")  # Names that end in a version: GPT-3.5
_VERSION = re.compile(r"[1-9]\d{0,2}\.\d{1,3}|\d{1,4}(?:\.\d{1,4}){2,}")

_CHAPTER = re.compile(r"^# (?:Chapter )?(?P<chapter>\d+)\b", re.MULTILINE)
_HEADING = re.compile(
    rf"^##+ (?:Worked )?(?:[Ee]xample |[Ee]xercise )?(?P<number>(?P<chapter>\d+)\.\d+(?:\.\d+)?)(?=[ :.]|$)"
    rf"(?!\s?(?:{_UNIT}(?!\w)|[×x]))", re.MULTILINE
)
# A contents page lists the sections of each chapter in bold: **2.1** … · **2.2** …
_LISTED = re.compile(r"^## Chapter (?P<chapter>\d+)\b|^\*\*(?P<list>\d+\.\d+\*\* .*)$", re.MULTILINE)
# What stands before a section's number where a page means the section.
_BEFORE_SECTION = re.compile(
    r"(?i)(?:\b(?:sections?|examples?|exercises?|in|see|figure|table|listing)|\bchapter \d+\]? ?,|\()\s?"
    rf"(?:\d+\.\d+(?:\.\d+)?{_AND})*$"
    r"|:\s(?:\d+\.\d+, )+$|^#+ (?:worked )?(?:example |exercise )?$|·\s+$"
)
# What stands behind it where a colon, or nothing, stands before.
_MORE_SECTIONS = re.compile(rf"{_AND}\d+\.\d+\b")

_FENCE = re.compile(r"^(?P<indent>\s*)(?P<mark>`{3,}|~{3,})[^`]*$")
_INCLUDE = re.compile(r"^\s*--8<-- ")
_SHOWN_ATTRIBUTE = re.compile(r"\b(?:alt|title|aria-label)=(\"[^\"]*\"|'[^']*')")
_FORMATTING = {
    "a", "abbr", "b", "bdi", "bdo", "cite", "code", "del", "dfn", "em", "font", "i", "ins", "kbd", "label",
    "mark", "q", "s", "samp", "small", "span", "strong", "tt", "u", "var", "wbr",
}
# Markup that may stand inside a number without a reader seeing it; and a wall that a number ends at.
_SEAM, _WALL = "\ue000", "\ue001"  # for private use, so no text holds them
# The first that fits, at each place of Markdown's text.
_MARKDOWN = re.compile(
    r"(?P<ticks>`+)(?P<code>.+?)(?<!`)(?P=ticks)(?!`)"
    r"|(?P<hidden><!--(?s:.)*?-->|<(?P<raw>style|script)\b(?s:.)*?</(?P=raw)>|\{\{.*?\}\}|https?://[^\s<>|)]+"
    r"|^ {0,3}\[(?!\^)[^\]\n]+\]:\s*\S+|\{:?\s*(?:[#.][A-Za-z]|[A-Za-z-]{2,}=)[^}\n]*\})"
    r"|(?P<sup><sup>)"
    r"|<(?P<tag>/?[a-zA-Z][\w-]*)(?P<attributes>(?:[^<>\n]|\n(?!\s*\n))*)>"
    r"|(?<=\])\((?:<[^<>\n]*>|(?:[^()\s]|\([^()\s]*\))*)(?P<title>\s+(?:\"[^\"\n]*\"|'[^'\n]*'))?\s*\)"
    r"|(?P<footnote>\[\^[^\]\n]+\])"
    r"|\$\$(?P<display>(?s:.)+?)\$\$|(?<!\\)\$(?=\S)(?P<maths>[^$\n]+?)(?<=\S)\$(?!\d)"
    r"|\\\((?P<maths2>.+?)\\\)|\\\[(?P<display2>(?s:.)+?)\\\]"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<entity>&(?:\#\d+|\#[xX][\da-fA-F]+|\w+);)"
    r"|(?P<emphasis>(?<!10)(?<!10\*)\*+|(?<!\w)_+|_+(?!\w)|~~|==|`+)",
    re.MULTILINE,
)
_LATEX = re.compile(
    r"\\(?:text|mathrm|textrm|mathbf|textbf|mathit|mathsf|mbox|operatorname)\s*\{(?P<text>[^{}]*)\}"
    r"|(?P<blank>\\[,;:!> ]|~|\\q?quad\b|\\\\)|\\(?P<percent>%)|\\(?P<sign>times|cdot|mu)(?![A-Za-z])"
    r"|\{(?P<point>[.,])\}|(?<=[\d.])(?P<exponent>[eE])(?=[-+]?\d)|(?P<variable>\\?[A-Za-z]+)"
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


def sections(pages: Iterable[str]) -> frozenset[str]:
    """The section numbers of the book: those of headings, and those that the contents page lists."""
    found: set[str] = set()
    for page in pages:
        # A number belongs to the chapter that it stands in, or is none of a section.
        chapter = _CHAPTER.search(page)
        own = chapter and chapter["chapter"]
        found |= {match["number"] for match in _HEADING.finditer(page) if match["chapter"] == own}
        planned = None
        for match in _LISTED.finditer(page):
            planned = match["chapter"] or planned
            if match["list"] and planned:
                found |= set(re.findall(rf"(?:^|\*\*)({planned}\.\d+)(?=\*\*)", match["list"]))
    return frozenset(found)


def find_numbers(text: str, code: str, known_sections: frozenset[str]) -> Iterator[Number]:
    """Yield the numbers that a page's Markdown states itself, not through a call.

    ``code`` is all code that the page includes: a number that stands there, digit for digit, is a
    constant of that code.
    """
    yield from _found(_readable(text), code, known_sections)


_CODE = re.compile(r"<code\b[^>]*>.*?</code\s*>", re.DOTALL | re.IGNORECASE)


def find_in_html(page: str, code: str, known_sections: frozenset[str]) -> Iterator[Number]:
    """Yield the unsourced numbers of a rendered page; their line is 0, as HTML has none to name."""
    reader = _Text()
    # Most of a page is code, each of its words in an element of its own.
    reader.feed(_CODE.sub(r"<code></code>", page))
    reader.close()
    for number in _found(reader.text, code, known_sections):
        if number.source is Source.UNSOURCED:
            yield Number(0, number.text, number.source)


def numbers_of(words: str) -> list[str]:
    """The numbers, of the kind that needs a source, in a few words of plain text."""
    return [number.text for number in _found(words, "", frozenset())]


def _found(text: str, code: str, known_sections: frozenset[str]) -> Iterator[Number]:
    text = re.sub(rf"(?<=\d){_SEAM}*\.{_SEAM}*(?=\d)", ".", _plain(text)).replace(_SEAM, " ")
    text = _DATE.sub(lambda match: " " * len(match[0]), text)
    constants = set(re.findall(r"(?<![\w.])\d+(?:\.\d+)?(?:[eE][-+]?\d+)?", code))
    for match in _NUMBER.finditer(text):
        if not match["of"] and (_is_section(match, known_sections) or _is_version(match)):
            continue
        shown = " ".join(match[0].split())
        source = Source.CODE if shown.strip("+-−") in constants else Source.UNSOURCED
        yield Number(text.count("\n", 0, match.start()) + 1, shown, source)


def _is_section(match: re.Match, known: frozenset[str]) -> bool:
    if match["decimal"] not in known:
        return False
    before, after = _line_around(match)
    if before.endswith(": "):
        return bool(_MORE_SECTIONS.match(after))
    return bool(_BEFORE_SECTION.search(before) or not before.strip() and "·" in after)


def _is_version(match: re.Match) -> bool:
    if not match["decimal"] or not _VERSION.fullmatch(match["decimal"]):
        return False
    before, _ = _line_around(match)
    several = match["decimal"].count(".") > 1
    return several or bool(_BEFORE_VERSION.search(before) or _BEFORE_NAMED.search(before))


def _line_around(match: re.Match) -> tuple[str, str]:
    """What stands before and behind a match on its line."""
    text = match.string
    start, end = text.rfind("\n", 0, match.start()) + 1, text.find("\n", match.end())
    return text[start : match.start()], text[match.end() : end if end >= 0 else len(text)]


def _readable(text: str) -> str:
    """A page's text as its reader sees it, line for line: without calls, addresses and markup."""
    for call in reversed([found for found in find_calls(text) if isinstance(found, Call)]):
        text = text[: call.start] + " " * (call.end - call.start) + text[call.end :]
    pieces: list[str] = []
    prose: list[str] = []
    fence = None
    for line in text.split("\n"):
        mark = _FENCE.match(line)
        if fence is None and not mark:
            prose.append("" if _INCLUDE.match(line) else line)
            continue
        if fence is None:
            fence = mark
            pieces += [_prose("\n".join(prose))] if prose else []
            prose = []
        elif line.rstrip() == fence["indent"] + fence["mark"]:
            fence = None
        # Code stands as it is; its lines do not run on.
        pieces.append(_WALL if _INCLUDE.match(line) else line + _WALL)
    pieces += [_prose("\n".join(prose))] if prose else []
    return "\n".join(pieces)


def _prose(text: str) -> str:
    return _MARKDOWN.sub(_read, text)


def _read(match: re.Match) -> str:
    """What a reader sees of one piece of Markdown, on as many lines."""
    if match["code"]:
        return f"{_SEAM}{match['code']}{_SEAM}"
    if match["sup"]:
        return "^"
    if match["escaped"] or match["entity"]:
        return (match["escaped"] or html.unescape(match["entity"])).replace("\n", " ")
    maths = next((match[name] for name in ("display", "maths", "display2", "maths2") if match[name]), None)
    if maths is not None:
        return f" {_LATEX.sub(_read_latex, maths)} "
    if match["tag"]:
        shown = " ".join(_SHOWN_ATTRIBUTE.findall(match["attributes"])) + "\n" * match[0].count("\n")
        return shown or (_SEAM if match["tag"].strip("/").lower() in _FORMATTING else f" {_WALL} ")
    if match["emphasis"] or match["footnote"]:
        return _SEAM
    return (match["title"] or "") + "\n" * match[0].count("\n") or " "


def _read_latex(match: re.Match) -> str:
    if match["text"] is not None:
        return match["text"]
    if match["sign"]:
        return {"times": "×", "cdot": "·", "mu": "µ"}[match["sign"]]
    # A letter is a variable here: neither a unit nor a times sign.
    return match["percent"] or match["point"] or match["exponent"] or (" " if match["blank"] else "¤")


def _plain(text: str) -> str:
    """Digits and signs of every script as those of ASCII; characters without a width left out."""
    return re.sub(r"[^\x00-\x7f]", lambda match: _ascii(match[0]), text)


def _ascii(character: str) -> str:
    if (digit := unicodedata.decimal(character, None)) is not None:
        return str(digit)
    if "\uff01" <= character <= "\uff5e":
        return unicodedata.normalize("NFKC", character)
    return "" if unicodedata.category(character) == "Cf" else character


class _Text(HTMLParser):
    """The text of a page without what the engine or an included file put there."""

    SKIPPED = {
        "evidence", "value", "cited", "derived", "claim", "highlight", "ledger", "chapters", "headerlink",
    }
    UNREAD = {"math", "style", "script", "code"}
    HEADINGS = {f"h{level}" for level in range(1, 7)}
    BLANK = re.compile(r"\n\s*\n")
    VOID = {
        "area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr",
    }

    def __init__(self):
        super().__init__()
        self._pieces: list[str] = []
        self._stack: list[tuple[str, bool]] = [("", False)]

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag == "sup" and "id" not in given:
            self._pieces.append("^")
        else:
            self._separate(tag)
        if tag in self.HEADINGS:
            self._pieces.append("# ")
        if tag not in self.VOID:
            hidden = self._stack[-1][1] or tag in self.UNREAD
            if not hidden and given.get("class"):
                hidden = not self.SKIPPED.isdisjoint(given["class"].split())
            self._stack.append((tag, hidden))

    def handle_startendtag(self, tag, attributes):
        self._separate(tag)

    def handle_endtag(self, tag):
        if self._stack[-1][0] == tag:
            self._stack.pop()
        elif tag in (names := [name for name, _ in self._stack]):
            del self._stack[len(names) - 1 - names[::-1].index(tag) :]
        self._separate(tag)

    def handle_data(self, data):
        if not self._stack[-1][1]:
            self._pieces.append(self.BLANK.sub("\n", data))

    def _separate(self, tag: str) -> None:
        if tag in _FORMATTING:
            self._pieces.append(_SEAM)
        else:
            self._pieces.append(" " if tag in ("br", "sup", "sub") else f"{_WALL}\n")
