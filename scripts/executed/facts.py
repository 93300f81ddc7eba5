"""Read what the compilers made of a program's launches back out of its capture."""

import re
from dataclasses import dataclass

_TARGET = re.compile(r"^(?P<target>sm_\d+|gfx\w+): (?P<rest>.+)$")
_TITLE = re.compile(r"^== (?P<title>(?P<kernel>\w+)\(.*\)(?: #\d+)?) ==$")
_PTX = re.compile(r"^ *(?P<line>\d+)\| (?P<instruction>.+)$")


@dataclass(frozen=True)
class Launch:
    """One distinct launch of a kernel, as four compilers saw it."""

    title: str
    """``kernel(CONSTANT=value)``, with a number where several launches share that."""
    kernel: str
    launch: str
    """Types and alignment of its arguments, and how it was launched."""
    facts: dict[str, dict[str, str]]
    """Target to fact (``registers``) to value; no facts where the target rejected it."""
    rejections: dict[str, str]
    """Target to the compiler's message."""
    ptx: tuple[tuple[int, str], ...]
    """Line of the kernel (1 is its decorator, 0 none) and instruction, where listed."""


def launches(text: str) -> list[Launch]:
    """All launches in a compiler's capture, in order."""
    pieces: list[list[str]] = []
    for line in text.rstrip("\n").split("\n"):
        if _TITLE.match(line):
            pieces.append([])
        if pieces:
            pieces[-1].append(line)
    return [_launch(piece) for piece in pieces]


def _launch(lines: list[str]) -> Launch:
    title = _TITLE.match(lines[0])
    launch, target = "", ""
    facts: dict[str, dict[str, str]] = {}
    rejections: dict[str, str] = {}
    ptx: list[tuple[int, str]] = []
    listing = False
    for line in lines[1:]:
        if target in rejections and not listing and (line.startswith("    ") or not line):
            rejections[target] += f"{line[4:]}\n"
        elif line.startswith("ptx for "):
            listing = True
        elif line.startswith("launch: "):
            launch = line.removeprefix("launch: ")
        elif match := _TARGET.match(line):
            target, rest = match.groups()
            facts[target] = {}
            if rest == "rejected" or rest.startswith("rejected, as for "):
                rejections[target] = rejections.get(rest.partition(", as for ")[2], "")
            else:
                pairs = (pair.partition(" ") for pair in rest.split(", "))
                facts[target] = {name: value for name, _, value in pairs}
        elif match := _PTX.match(line):
            ptx.append((int(match["line"]), match["instruction"]))
    return Launch(title["title"], title["kernel"], launch, facts, rejections, tuple(ptx))
