"""Find what the listings of the chapters show: kernels, and names of Triton's API, each with its sections."""

import ast
import functools
import re
from dataclasses import dataclass

from executed.context import Context
from executed.discover import jitted, nested, parse
from executed.headings import Section, section_at, sections
from executed.includes import region_lines
from executed.lint import pages
from executed.snippet import Snippet

_ROOTS = ("tl", "triton")
_DOTTED = re.compile(r"(?<![\w.])(?:tl|triton)(?:\.\w+)+")
_SPAN = re.compile(r"(?<!`)`([^`]+)`(?!`)")
_ROW = re.compile(r"^\s*\|.*$", re.MULTILINE)
_NUMBER = re.compile(r"^(?:Worked example )?(?P<number>\d+(?:\.\d+)*)[.:]? ")
# How a docstring says which part of a chapter its program belongs to.
_PART = re.compile(r"^(?:(?:Worked example|Trap|Solution)(?: of)?\b ?)?(?:\d+(?:\.\d+)+)?(?:, recorded)?: ")


@dataclass(frozen=True)
class Place:
    """A section of a chapter, or its page where the heading is the page's own."""

    page: str
    """Its path below ``docs/``."""
    section: Section
    number: str
    """The number of the section, or of the numbered one that it is a part of."""
    part: int
    """How many headings of the second level the page has up to there."""

    @property
    def title(self) -> str:
        """Its heading, and before it the number."""
        return f"{self.number} {_sentence(_NUMBER.sub('', self.section.title))}".strip()

    def address(self, context: Context) -> str:
        """Its address, as the page of a context sees it."""
        return f"{context.address(self.page)}#{self.section.anchor}"


@dataclass(frozen=True)
class Kernel:
    """A function under ``@triton.jit``."""

    name: str
    snippet: Snippet
    parameters: tuple[str, ...]
    does: str
    """Its docstring or the comment above it, else what its program is about."""
    helper: bool
    """Whether other kernels call it: what is launched returns nothing."""
    places: tuple[Place, ...]
    """The sections that show it, in the order of the book."""


@dataclass(frozen=True)
class Name:
    """A name of Triton's API that a listing uses."""

    name: str
    taught: Place
    """The first section whose heading names it, else whose text does, else whose listing uses it."""
    places: tuple[Place, ...]
    """The sections whose listings use it, in the order of the book."""


@dataclass(frozen=True)
class Index:
    """What the listings of all chapters show."""

    kernels: tuple[Kernel, ...]
    names: dict[str, Name]
    """In the order of the alphabet."""

    def taught(self) -> dict[tuple[str, str], dict[str, list[str]]]:
        """By page and anchor of a section, the ``tags`` (names of the API) and ``kernels`` that it is the first to show."""
        found: dict[tuple[str, str], dict[str, list[str]]] = {}
        kernels = [("kernels", kernel.places[0], kernel.name) for kernel in self.kernels if kernel.places]
        for kind, place, name in [*kernels, *(("tags", name.taught, name.name) for name in self.names.values())]:
            found.setdefault((place.page, place.section.anchor), {}).setdefault(kind, []).append(name)
        return found


def index(context: Context) -> Index:
    """The index of the book, read once for each build."""
    memory = context.repository.memory
    if "index" not in memory:
        memory["index"] = _index(context)
    return memory["index"]


def _index(context: Context) -> Index:
    read = {page.path.relative_to(context.repository.docs).as_posix(): page for page in pages(context.repository)}
    chapters = [(path, sections(read[path].text)) for _, _, path in context.chapters if path]
    names: dict[str, list[Place]] = {}
    kernels: dict[tuple[str, str], list[Place]] = {}
    programs: dict[str, set[str]] = {}
    for path, found in chapters:
        for include in read[path].includes:
            snippet = context.repository.snippets.get(include.snippet)
            section = section_at(found, include.line)
            if snippet is None or not snippet.is_python or section is None:
                continue
            programs.setdefault(path, set()).update(name for _, name in _names(snippet))
            lines = region_lines(snippet, include.region)
            place = _place(path, found, section)
            for name in {name for line, name in _names(snippet) if line in lines}:
                _put(names, name, place)
            for node in jitted(snippet):
                if node.lineno in lines:
                    _put(kernels, (snippet.name, node.name), place)
    teachers = _teachers(chapters, programs)
    return Index(
        tuple(
            _kernel(snippet, node, kernels.get((snippet.name, node.name), []))
            for snippet in context.repository.snippets.values() for node in jitted(snippet)
        ),
        {
            name: Name(name, teachers.get(name, places[0]), tuple(places))
            for name, places in sorted(names.items(), key=lambda item: item[0].casefold())
        },
    )


def _place(path: str, found: list[Section], section: Section) -> Place:
    above = found[: found.index(section) + 1]
    around = [one for one in above if one is section or one.level < section.level]
    numbers = [match["number"] for one in around if (match := _NUMBER.match(one.title))]
    return Place(path, section, numbers[-1] if numbers else "", sum(one.level == 2 for one in above))


def _sentence(words: str) -> str:
    """Words with a capital at their beginning, unless a name stands there."""
    return words[:1].upper() + words[1:] if re.match(r"[a-z]+(?:[ ,:]|$)", words) else words


def _put(found: dict, key: object, place: Place) -> None:
    places = found.setdefault(key, [])
    if place not in places:
        places.append(place)


def _teachers(chapters: list[tuple[str, list[Section]]], programs: dict[str, set[str]]) -> dict[str, Place]:
    """Of each name, the section whose heading or else whose text is the first to name it.

    A chapter counts where one of its programs uses the name: others mention it in passing.
    """
    headed: dict[str, Place] = {}
    told: dict[str, Place] = {}
    for path, found in chapters:
        for section in found:
            if section.level == 1:
                continue
            place = _place(path, found, section)
            spans = _SPAN.findall(_ROW.sub("", section.prose))
            for teachers, text in ((headed, section.title), (told, " ".join(spans))):
                for name in _DOTTED.findall(text):
                    if name in programs.get(path, ()):
                        teachers.setdefault(name, place)
    return told | headed


def _kernel(snippet: Snippet, node: ast.FunctionDef, places: list[Place]) -> Kernel:
    lines = snippet.text.split("\n")
    above = min(decorator.lineno for decorator in node.decorator_list) - 1
    comment: list[str] = []
    while above and lines[above - 1].startswith("# ") and "--8<--" not in lines[above - 1]:
        above -= 1
        comment.insert(0, lines[above].removeprefix("# "))
    program = _PART.sub("", ast.get_docstring(parse(snippet)) or "")
    does = ast.get_docstring(node) or "\n".join(comment) or program
    does = _sentence(" ".join(does.split("\n\n")[0].split()))
    helper = any(isinstance(inner, ast.Return) and inner.value is not None for inner in nested(node))
    parameters = tuple(argument.arg for argument in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs))
    return Kernel(node.name, snippet, parameters, does, helper, tuple(places))


@functools.cache
def _names(snippet: Snippet) -> tuple[tuple[int, str], ...]:
    """The names of Triton's API in a snippet, whole, each with its line."""
    found: list[tuple[int, str]] = []
    waiting: list[ast.AST] = [parse(snippet)]
    while waiting:
        node = waiting.pop()
        name = _dotted(node)
        if name is None:
            waiting += ast.iter_child_nodes(node)
        elif name.partition(".")[0] in _ROOTS:
            found.append((node.lineno, name))
    return tuple(found)


def _dotted(node: ast.AST) -> str | None:
    """The text of ``a.b.c``; None for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.insert(0, node.attr)
        node = node.value
    return ".".join([node.id, *parts]) if parts and isinstance(node, ast.Name) else None
