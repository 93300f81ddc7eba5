"""Find the calls in double braces on a page, and read their arguments as plain literals."""

import ast
import functools
import inspect
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_FENCE = re.compile(r"^(?P<indent>\s*)(?P<mark>`{3,}|~{3,})(?P<info>[^`]*)$")
# Whichever begins first wins: a code span, as Python-Markdown reads it, or a call, whose strings may
# hold braces and backticks.
_CODE_OR_CALL = re.compile(
    r"""(?<!\\)(?P<ticks>`+)(?:.+?)(?<!`)(?P=ticks)(?!`)
    | \{\{ (?P<body> (?: [^"'}] | "(?:\\.|[^"\\])*" | '(?:\\.|[^'\\])*' | \}(?!\}) )*+ | .*? ) \}\}""",
    re.VERBOSE,
)


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
    snippet: str, label: str, *, runner: str | None = None, section: str | None = None, format: str | None = None,
    field: str | None = None,
): ...
def claim(words: str, holds: str, *, snippet: str | None = None, runner: str | None = None): ...
def hand(shown: str, equals: str, *, snippet: str | None = None, runner: str | None = None): ...
def cite(words: str, key: str): ...
def ptx(snippet: str, launch: str): ...
def replay(snippet: str, *, launch: str | None = None): ...
def plot(
    snippet: str, *series: str, title: str, x: str, y: str, kind: str = "lines", log: str = "", ceiling: str | None = None,
    slope: str | None = None, section: str | None = None, runner: str | None = None, field: str | None = None,
): ...
def program(snippet: str): ...
def chapters(): ...
def ledger(): ...
def numbers(): ...
def speeds(): ...
def kernels(): ...
def api(): ...


SIGNATURES: dict[str, Callable] = {
    f.__name__: f for f in (
        outputs, value, claim, hand, cite, ptx, replay, plot, program, chapters, ledger, numbers, speeds, kernels, api,
    )
}
_PARAMETERS = {name: inspect.signature(f) for name, f in SIGNATURES.items()}
_WITHOUT_BRACES = re.compile(rf"\b(?:{'|'.join(SIGNATURES)})\(\s*(?:[\"'][^()]*)?\)\s*\}}")

BLOCKS = ("outputs", "ptx", "replay", "plot", "program", "chapters", "ledger", "numbers", "speeds", "kernels", "api")
"""Directives that become a block, and so stand alone on their line."""


def find_calls(text: str) -> Iterator[Call | DirectiveError]:
    """Yield every call outside code, in order; a faulty one as the error that names it."""
    offset, fence, opened = 0, None, 0
    for number, line in enumerate(text.split("\n"), start=1):
        mark = _FENCE.match(line)
        if fence is None and mark:
            fence, opened = mark, number
        elif fence is not None:
            # As SuperFences closes one: the same mark, in the same column, and nothing after it.
            if line.rstrip() == fence["indent"] + fence["mark"]:
                fence = None
        else:
            yield from _in_line(line, number, offset)
        offset += len(line) + 1
    if fence is not None:
        yield DirectiveError(opened, f"the code block that {fence['mark']!r} opens is never closed")


def _in_line(line: str, number: int, offset: int) -> Iterator[Call | DirectiveError]:
    if "{{" not in line and "}" not in line:
        return  # As nearly every line of a book.
    for match in _CODE_OR_CALL.finditer(line):
        if match["ticks"]:
            continue
        alone = not (line[: match.start()] + line[match.end() :]).strip()
        try:
            name, arguments = _read(match["body"].strip())
            if name in BLOCKS and not alone:
                raise ValueError(f"{name}(…) is a block: put it alone on its line")
            yield Call(name, arguments, number, offset + match.start(), offset + match.end(), alone)
        except ValueError as error:
            yield DirectiveError(number, f"{match[0]}: {error}")
    rest = _CODE_OR_CALL.sub("", line)
    if "{{" in rest:
        yield DirectiveError(number, f"'{{{{' is never closed on this line: {line.strip()}")
    elif stray := _WITHOUT_BRACES.search(rest):
        yield DirectiveError(number, f"'{{{{' is missing before {stray[0]}")


@functools.lru_cache(maxsize=8192)  # A page is read by the check and once more to be shown.
def _read(body: str) -> tuple[str, dict[str, object]]:
    try:
        tree = ast.parse(body, mode="eval").body
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
        if len(keywords) < len(tree.keywords):
            raise TypeError("an argument is given twice")
        bound = _PARAMETERS[name].bind(*positional, **keywords)
    except TypeError as error:
        raise ValueError(f"{name}: {error}") from None
    bound.apply_defaults()
    return name, dict(bound.arguments)


def _literal(node: ast.expr) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    raise ValueError("arguments are strings, written out")
