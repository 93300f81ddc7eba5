"""The regions that snippets mark, and the lines of pages that include them.

``pymdownx.snippets`` does the including. It passes over a misspelt end marker, a duplicate or
empty region and a stray space without a word, so each of those is found here.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from executed.snippet import Snippet

_MARKER = re.compile(r"^\s*# --8<-- \[(start|end):([a-z][a-z0-9_]*)\]$")
# In a comment, whatever may have been meant as one; elsewhere, what pymdownx.snippets takes for a
# marker (anywhere on a line) or for an include (at the start of one), in strings too.
_LOOKS_LIKE_MARKER = re.compile(
    r"(?i)^\s*#.*(?:--\s*8\s*<|8\s*<\s*--|-8<-)"
    r"|(?<!;)(?<!-)-+8<-+[ \t]+\[[ \t]*(?:start|end)[ \t]*:|^\s*-+8<-+"
)
_INCLUDE = re.compile(r'^\s*--8<-- "(?P<path>[^":\s]+\.(?:py|mojo))(?::(?P<region>[a-z][a-z0-9_]*))?"$')
_LOOKS_LIKE_INCLUDE = re.compile(r"--\s*8\s*<\s*-|-\s*8\s*<\s*--|-8<-")
_CODE = re.compile(r"(?<!\\)(`+)(?:.+?)(?<!`)\1(?!`)")


@dataclass(frozen=True)
class Include:
    """A line of a page that pulls in a region of a snippet, or all of it."""

    line: int
    path: str
    """Below ``snippets/``, as written."""
    region: str | None

    @property
    def snippet(self) -> str:
        return self.path.rpartition(".")[0]


def regions(snippet: Snippet) -> tuple[dict[str, int], list[str]]:
    """The regions of a snippet, name to first line; and what is wrong with its markers."""
    found: dict[str, int] = {}
    errors: list[str] = []
    opened: dict[str, int] = {}
    empty: dict[str, bool] = {}
    for number, line in enumerate(snippet.text.split("\n"), start=1):
        where = f"{snippet.path}:{number}"
        if not _LOOKS_LIKE_MARKER.search(line):
            for name in opened:
                empty[name] = empty[name] and not line.strip()
            continue
        match = _MARKER.match(line)
        if match is None:
            errors.append(
                f"{where}: malformed region marker {line.strip()!r}; it reads '# --8<-- [start:name]' "
                "or '# --8<-- [end:name]', without another space"
            )
            continue
        kind, name = match.groups()
        if kind == "start":
            if name in found:
                errors.append(f"{where}: region {name!r} is marked a second time; first at line {found[name]}")
            else:
                opened[name], found[name], empty[name] = number, number, True
        elif name in opened:
            del opened[name]
            if empty[name]:
                errors.append(f"{where}: region {name!r} is empty")
        else:
            errors.append(f"{where}: region {name!r} ends here but never starts")
    for name, number in opened.items():
        errors.append(f"{snippet.path}:{number}: region {name!r} starts here but never ends")
    return found, errors


def region_lines(snippet: Snippet, region: str | None) -> range:
    """The lines, from 1, between the markers of a region; all lines where none is named."""
    lines = snippet.text.split("\n")
    if region is None:
        return range(1, len(lines) + 1)
    marked = {match.groups(): at for at, line in enumerate(lines, start=1) if (match := _MARKER.match(line))}
    return range(marked.get(("start", region), 0) + 1, marked.get(("end", region), 0))


def find_includes(text: str) -> Iterator[Include | tuple[int, str]]:
    """Yield each include of a page; for a line that only looks like one, its number and the fault."""
    for number, line in enumerate(text.split("\n"), start=1):
        if line.lstrip().startswith(";") or not _LOOKS_LIKE_INCLUDE.search(_without_code(line)):
            continue
        match = _INCLUDE.match(line)
        if match is None:
            yield number, (
                f"malformed include {line.strip()!r}; it reads --8<-- \"CHAPTER/NAME.py:REGION\", "
                "alone on its line, with single spaces"
            )
            continue
        yield Include(number, match["path"], match["region"])


def _without_code(line: str) -> str:
    return _CODE.sub("", line)
