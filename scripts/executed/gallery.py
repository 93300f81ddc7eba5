"""Check the gallery of error messages: its entries, and that none is missing."""

import re
from collections.abc import Iterator

from executed.capture import CaptureError, read
from executed.discover import Repository
from executed.facts import launches
from executed.headings import Section, sections
from executed.snippet import Snippet

PAGE = "errors.md"


def complaints(path: str, text: str, repository: Repository) -> Iterator[str]:
    """What is wrong with the gallery, and the messages of snippets that no entry of it covers."""
    entries = [section for section in sections(text) if section.level == 2]
    for entry in entries:
        if not entry.anchor.startswith("err-"):
            yield f"{path}:{entry.line}: the heading of an entry ends in its address, {{#err-…}}"
        for part in ("**Cause.**", "**Mend.**", ".md#"):
            if part not in entry.prose:
                need = "links no section that shows it" if part == ".md#" else f"has no {part}"
                yield f"{path}:{entry.line}: {entry.title!r} {need}"
    for snippet in repository.snippets.values():
        for message in _messages(snippet):
            if not any(covers(entry, message) for entry in entries):
                yield (
                    f"{snippet.path}: no entry of {path} covers its message {message!r}; add one, with the words that "
                    "are always in it as heading"
                )


def covers(entry: Section, message: str) -> bool:
    """Whether all words of an entry's heading are in a message, in order."""
    said = iter(re.findall(r"\w+", message))
    return all(word in said for word in re.findall(r"\w+", entry.title))


def _messages(snippet: Snippet) -> list[str]:
    """The messages that a snippet declares to be its lesson, as its captures have them."""
    settings, found = snippet.settings, []
    if settings.bundle or not snippet.is_python:
        return []  # Those of its parts; and the gallery is of Triton's messages.
    for runner in settings.runners:
        try:
            capture = read(snippet.capture_path(runner))
        except CaptureError:
            continue  # Told elsewhere.
        if capture is None:
            continue
        if settings.raises and snippet.prints(runner):
            found.append(capture.text.rstrip().rpartition("\n")[2])
        if settings.rejects and runner == "compiler" and snippet.shows_facts:
            for launch in launches(capture.text):
                found += [_in_short(text) for text in launch.rejections.values()]
    return list(dict.fromkeys(found))


def _in_short(rejection: str) -> str:
    """The exception and the message proper, without the place in the source that stands between them."""
    first, *rest = [line.strip() for line in rejection.strip().split("\n") if re.search(r"\w", line)] or [""]
    return f"{first.partition(':')[0]}: {rest[-1]}" if rest else first
