"""Read and write captures: the committed files that hold what a snippet printed.

A capture is a few ``key: value`` lines between two ``---`` lines, and after them the output,
verbatim.
"""

import functools
import os
import re
import tempfile
from dataclasses import dataclass, field
from pathlib import Path

from executed.digest import text_digest

_FENCE = "---\n"
_KEYS = ("snippet", "runner", "device", "versions", "exit", "source", "body")


class CaptureError(Exception):
    """A capture file that is not of the format; the message names the file and the line."""


@dataclass(frozen=True)
class Capture:
    """What one snippet printed under one runner, and on what it ran."""

    snippet: str
    runner: str
    device: str
    """``CPU``, or the GPU's name, compute capability and driver."""
    versions: str
    """``python 3.11, torch 2.13.0, …``: what printed it."""
    exit: str
    """Exit status as text: ``0``, or ``1 (TypeError)`` where the exception was declared."""
    source: str
    """Digest of the code that ran."""
    text: str = field(repr=False)
    """The output, as a terminal would have shown it."""
    body: str = ""
    """Digest of the output as it was written; another than ``text``'s means an edit by hand."""

    @functools.cached_property
    def edited(self) -> bool:
        return self.body != text_digest(self.text)

    def version_of(self, package: str) -> str | None:
        """The version of ``package`` that printed this, or None where it is not named."""
        for item in self.versions.split(", "):
            name, _, version = item.partition(" ")
            if name == package:
                return version
        return None


def format_capture(capture: Capture) -> str:
    """Render a capture as the text of its file."""
    values = {key: getattr(capture, key) for key in _KEYS} | {"body": text_digest(capture.text)}
    head = "".join(f"{key}: {values[key]}\n" for key in _KEYS)
    return f"{_FENCE}{head}{_FENCE}{capture.text}"


@functools.cache
def parse_capture(content: str, path: Path) -> Capture:
    """Read a capture from the text of its file. Raises ``CaptureError``."""
    if not content.startswith(_FENCE):
        raise CaptureError(f"{path}:1: not a capture: the first line is not '---'")
    head, fence, text = content[len(_FENCE) :].partition(f"\n{_FENCE}")
    if not fence:
        raise CaptureError(f"{path}: not a capture: the front matter is never closed by '---'")
    values = {}
    for number, line in enumerate(head.split("\n"), start=2):
        key, colon, value = line.partition(": ")
        if not colon or key not in _KEYS or key in values:
            raise CaptureError(f"{path}:{number}: not a line of a capture's front matter: {line!r}")
        values[key] = value
    missing = [key for key in _KEYS if key not in values]
    if missing:
        raise CaptureError(f"{path}: the front matter has no line {missing[0]!r}")
    return Capture(text=text, **values)


def read(path: Path) -> Capture | None:
    """Read the capture at ``path``; None where there is none. Raises ``CaptureError``."""
    try:
        content = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except UnicodeDecodeError as error:
        raise CaptureError(f"{path}: not UTF-8: {error}") from None
    return parse_capture(content, path)


def write(path: Path, content: str) -> bool:
    """Put ``content`` at ``path`` by rename; True where that changed the file.

    A reader, or a run that is killed, sees the old file or the new one, never a part.
    """
    data = content.encode("utf-8")
    if path.is_file() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    return True


# A terminal's control sequences: CSI; OSC, DCS and their like; then the short ones.
_ESCAPE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[\]PX^_][^\x07\x1b\n]*(?:\x07|\x1b\\)|[ -/]+[0-~]|[0-Z\\-~])"
)
# What moves the cursor within its line, or erases some of it.
_MOVE = re.compile(r"(\r|\x1b\[[0-2]?K)")


def as_shown(raw: bytes, folders: dict[str, str]) -> str:
    """Turn the bytes that a program wrote into the text that a terminal would have shown.

    Colour codes go, a carriage return overwrites its line, what is not UTF-8 or not printable is
    shown as an escape, and each folder of this machine in ``folders`` is shown as its value.
    """
    text = raw.decode("utf-8", errors="backslashreplace")
    text = "\n".join(_overwritten(line) for line in text.split("\n"))
    return "\n".join(map(_printable, _relocated(text, folders).split("\n")))


def _overwritten(line: str) -> str:
    shown: list[str] = []
    column = 0
    for piece in _MOVE.split(line):
        if piece == "\r":
            column = 0
        elif _MOVE.fullmatch(piece):
            if piece[-2] == "1":
                shown[:column] = " " * column
            else:
                del shown[0 if piece[-2] == "2" else column :]
        elif plain := _ESCAPE.sub("", piece):
            shown += " " * (column - len(shown))
            shown[column : column + len(plain)] = plain
            column += len(plain)
    return "".join(shown)


def _relocated(text: str, folders: dict[str, str]) -> str:
    """Show each of this machine's folders as its value; ``/work`` is no part of ``/workload``."""
    if not any(folder in text for folder in folders):
        return text
    longest_first = sorted(folders, key=len, reverse=True)
    whole = {False: r"(?![\w-]|\.\w)", True: ""}
    patterns = (re.escape(folder) + whole[folder.endswith("/")] for folder in longest_first)
    return re.sub("|".join(patterns), lambda match: folders[match[0]], text)


def _printable(line: str) -> str:
    return "".join(
        char if char == "\t" or char.isprintable() else char.encode("unicode_escape").decode() for char in line
    )
