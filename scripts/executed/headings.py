"""The sections of a page: each heading, its address, and the lines that stand under it."""

import re
import unicodedata
from dataclasses import dataclass, field

_FENCE = re.compile(r"^(?P<indent>\s*)(?P<mark>`{3,}|~{3,})[^`]*$")
_HEADING = re.compile(r"^(?P<level>#{1,6}) (?P<title>.+?)\s*(?:\{[^}#]*(?:#(?P<id>[\w-]+))?[^}]*\})?$")
_MARKUP = re.compile(r"\[([^\]]*)\]\([^)]*\)|[`*]")


@dataclass(frozen=True)
class Section:
    """A heading of a page, and what stands between it and the next one."""

    title: str
    anchor: str
    """The id that Markdown gives the heading."""
    level: int
    line: int
    prose: str = field(repr=False)
    """Its lines without fenced code, as Markdown."""


def sections(text: str) -> list[Section]:
    """The sections of a page's Markdown, in order; what stands above the first heading is in none."""
    found: list[tuple[str, str, int, int]] = []
    prose: list[list[str]] = []
    used: set[str] = set()
    fence = None
    for number, line in enumerate(text.split("\n"), start=1):
        mark = _FENCE.match(line)
        if fence is not None:
            fence = None if line.rstrip() == fence else fence
        elif mark:
            fence = mark["indent"] + mark["mark"]
        elif heading := _HEADING.match(line):
            title = _MARKUP.sub(lambda match: match[1] or "", heading["title"])
            anchor = heading["id"] or _anchor(title, used)
            used.add(anchor)
            found.append((title, anchor, len(heading["level"]), number))
            prose.append([])
        elif prose:
            prose[-1].append(line)
    return [Section(*heading, "\n".join(lines)) for heading, lines in zip(found, prose)]


def section_at(found: list[Section], line: int) -> Section | None:
    """The section that a line of the page stands in."""
    return next((section for section in reversed(found) if section.line <= line), None)


def _anchor(title: str, used: set[str]) -> str:
    """The id that Python-Markdown makes of a title. Its own function is not at hand where a GPU is."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode()
    slug = re.sub(r"[-\s]+", "-", re.sub(r"[^\w\s-]", "", plain).strip().lower())
    while slug in used or not slug:
        stem, _, count = slug.rpartition("_")
        slug = f"{stem}_{int(count) + 1}" if stem and count.isdigit() else f"{slug}_1"
    return slug
