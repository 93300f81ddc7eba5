"""Find the calls in double braces on a page, and read their arguments as plain literals."""

import ast
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"^\s*(?P<mark>`{3,}|~{3,})(?P<info>[^`]*)$")
_CALL = re.compile(r"\{\{(?P<body>.*?)\}\}")
_CODE = re.compile(r"(?P<ticks>`+)(?:(?!(?P=ticks)).)*?(?P=ticks)(?!`)")


class DirectiveError(Exception):
    """A call that cannot be read or resolved. ``line`` counts from the page's first line."""

    def __init__(self, line: int, message: str):
        super().__init__(message)
        self.line = line


@dataclass(frozen=True)
class Call:
    """One ``{{ name(arguments) }}`` of a page."""

    name: str
    arguments: dict[str, object]
    """Parameter to value, by the signature of the directive."""
    line: int
    start: int
    """Offset of the opening braces in the page's text."""
    end: int
    alone: bool
    """Whether nothing else stands on the line."""


# The signatures are the specification; none of these is ever called.
def outputs(snippet: str, *, section: str | None = None, runner: str | None = None): ...
def value(
    snippet: str, label: str, *, runner: str | None = None, section: str | None = None, format: str | None = None
): ...
def program(snippet: str): ...
def chapters(): ...


SIGNATURES: dict[str, Callable] = {f.__name__: f for f in (outputs, value, program, chapters)}
BLOCKS = ("outputs", "program", "chapters")
"""Directives that become a block, and so stand alone on their line."""


def find_calls(text: str) -> Iterator[Call | DirectiveError]:
    """Yield every call outside code, in order; a faulty one as the error that names it."""
    offset, fence = 0, None
    for number, line in enumerate(text.split("\n"), start=1):
        mark = _FENCE.match(line)
        if fence is None and mark:
            fence = mark["mark"]
        elif fence is not None:
            if mark and mark["mark"].startswith(fence) and not mark["info"].strip():
                fence = None
        else:
            yield from _in_line(line, number, offset)
        offset += len(line) + 1


def _in_line(line: str, number: int, offset: int) -> Iterator[Call | DirectiveError]:
    # Code spans keep their length, so that offsets stay true.
    visible = _CODE.sub(lambda m: " " * len(m[0]), line)
    for match in _CALL.finditer(visible):
        alone = not (line[: match.start()] + line[match.end() :]).strip()
        try:
            name, arguments = _read(match["body"])
            if name in BLOCKS and not alone:
                raise ValueError(f"{name}(…) is a block: put it alone on its line")
            yield Call(name, arguments, number, offset + match.start(), offset + match.end(), alone)
        except ValueError as error:
            yield DirectiveError(number, f"{match[0]}: {error}")
    if "{{" in _CALL.sub("", visible):
        yield DirectiveError(number, f"'{{{{' is never closed on this line: {line.strip()}")


def _read(body: str) -> tuple[str, dict[str, object]]:
    try:
        tree = ast.parse(body.strip(), mode="eval").body
    except SyntaxError as error:
        raise ValueError(f"not a call: {error.msg}") from None
    if not isinstance(tree, ast.Call) or not isinstance(tree.func, ast.Name):
        raise ValueError("not a call; calls read name(\"chapter/snippet\", …)")
    name = tree.func.id
    if name not in SIGNATURES:
        raise ValueError(f"there is no directive {name!r}; there are {', '.join(SIGNATURES)}")
    try:
        positional = [_literal(argument) for argument in tree.args]
        keywords = {keyword.arg or "**": _literal(keyword.value) for keyword in tree.keywords}
        bound = inspect.signature(SIGNATURES[name]).bind(*positional, **keywords)
    except TypeError as error:
        raise ValueError(f"{name}: {error}") from None
    bound.apply_defaults()
    return name, dict(bound.arguments)


def _literal(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError("arguments are strings, written out")
