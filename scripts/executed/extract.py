"""Pick a section, or the value behind a label, out of what a snippet printed.

A program opens a section by printing a line ``== title ==``; a value is what follows exactly one
``label:``.
"""

import re

_TITLE = re.compile(r"^== (?P<title>.+) ==$")
_FLOAT = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|[-+]?(?:inf|nan)\b")


class ExtractError(Exception):
    """What was asked for is not in the output, or not just once."""


def titles(text: str) -> list[str]:
    """The titles of the sections of an output, in order."""
    return [m["title"] for line in text.split("\n") if (m := _TITLE.match(line))]


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


def value(text: str, label: str, spec: str | None = None) -> str:
    """What follows the one ``label:`` in an output, formatted by ``spec`` where that is given.

    ``spec`` is a Python format specification (``.1e``, ``,``) for the first number of the value.
    Raises ``ExtractError``.
    """
    found = [rest for line in text.split("\n") if (rest := _after(line, label)) is not None]
    if len(found) != 1:
        raise ExtractError(f"label {label!r} is printed {len(found)} times; a value needs exactly one")
    text = found[0].strip()
    if spec is None:
        return text
    number = _FLOAT.search(text)
    if number is None:
        raise ExtractError(f"label {label!r} has no number to format in {text!r}")
    whole = re.fullmatch(r"[-+]?\d+", number[0])
    shown = int(number[0]) if whole else float(number[0])
    try:
        return format(shown, spec)
    except ValueError as error:
        raise ExtractError(f"format {spec!r} does not suit {number[0]}: {error}") from None


def _after(line: str, label: str) -> str | None:
    stripped = line.lstrip()
    return stripped[len(label) + 1 :] if stripped.startswith(f"{label}:") else None
