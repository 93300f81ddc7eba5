"""Pick a section, or the value behind a label, out of what a snippet printed.

A program opens a section by printing a line ``== title ==``; a value is what follows exactly one
``label:``.
"""

import re
from functools import lru_cache

_TITLE = re.compile(r"^== (?P<title>.+) ==$")
_NUMBER = re.compile(
    r"(?<![\w.])[-+]?(?:(?:\d{1,3}(?:,\d{3})+(?![\d,])|\d+)(?:\.\d*)?(?:[eE][-+]?\d+)?"
    r"|\.\d+(?:[eE][-+]?\d+)?|(?:inf|nan)\b)"
)
# What shows that only the head of something longer was read: 1,23 or 1_000 or 2.13.0 or 0x1f.
_CUT_SHORT = re.compile(r"[.,_]\w|x[\da-fA-F]")


class ExtractError(Exception):
    """What was asked for is not in the output, or not just once."""


# A page asks the same few outputs for one value after the other.
_remembered = lru_cache(4096)


@_remembered
def titles(text: str) -> tuple[str, ...]:
    """The titles of the sections of an output, in order."""
    return tuple(m["title"] for line in text.split("\n") if (m := _TITLE.match(line)))


@_remembered
def section(text: str, title: str) -> str:
    """The lines of the section called ``title``, its heading left out. Raises ``ExtractError``."""
    count = titles(text).count(title)
    if count != 1:
        known = ", ".join(map(repr, titles(text))) or "none"
        raise ExtractError(f"section {title!r} is printed {count} times; sections are: {known}")
    lines = text.split("\n")
    start = lines.index(f"== {title} ==") + 1
    end = next((i for i in range(start, len(lines)) if _TITLE.match(lines[i])), len(lines))
    return "\n".join(lines[start:end]).strip("\n") + "\n"


def value(text: str, label: str, spec: str | None = None, field: str | None = None) -> str:
    """What follows the one ``label:`` in an output, formatted by ``spec`` where that is given.

    ``spec`` is a Python format specification (``.1e``, ``,``) for the first number of the value.
    ``field`` picks one of several ``name value`` pairs that stand behind the label, between commas; or,
    where it is a whole number, the word at that place.
    Raises ``ExtractError``.
    """
    found = [line.removeprefix(f"{label}:") for line in _lines(text) if line.startswith(f"{label}:")]
    if len(found) != 1:
        raise ExtractError(f"label {label!r} is printed {len(found)} times; a value needs exactly one")
    text = found[0].strip()
    if not text:
        raise ExtractError(f"label {label!r} is printed with nothing behind it")
    if field is not None:
        fields = [rest for pair in text.split(", ") if (rest := pair.removeprefix(f"{field} ")) != pair]
        if not fields and field.isdecimal():
            fields = text.split()[int(field) - 1 : int(field)] if int(field) else []
        if len(fields) != 1:
            raise ExtractError(f"label {label!r} has {len(fields)} fields {field!r} in {text!r}; it needs one")
        text = fields[0]
    if spec is None:
        return text
    number = _NUMBER.search(text)
    if number is None or _CUT_SHORT.match(text, number.end()):
        raise ExtractError(f"label {label!r} has no number to format in {text!r}")
    digits = number[0].replace(",", "")
    try:
        whole = re.fullmatch(r"[-+]?\d+", digits)
        return format(int(digits) if whole else float(digits), spec)
    except ValueError as error:
        raise ExtractError(f"format {spec!r} does not suit {number[0]}: {error}") from None


def label_line(text: str, label: str, title: str | None = None) -> int | None:
    """The line, from 1, on which an output prints a label, in the section of a title if one is given."""
    now, headed = None, bool(titles(text))
    for number, (line, stripped) in enumerate(zip(text.split("\n"), _lines(text)), start=1):
        if match := _TITLE.match(line):
            now = match["title"]
        # A text without headings is that section already.
        elif stripped.startswith(f"{label}:") and (title in (None, now) or not headed):
            return number
    return None


@_remembered
def _lines(text: str) -> tuple[str, ...]:
    """The lines of an output, each from its first character that is no space."""
    return tuple(line.lstrip() for line in text.split("\n"))
