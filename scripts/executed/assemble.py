"""Make one self-contained program of a snippet: what it imports from siblings is written into it.

The assembled text is what runs, what a reader downloads, and what a chapter's notebook is cut
from, so no kernel needs to stand twice in the repository. Whatever cannot be moved without a change
of meaning is an error, not a guess.
"""

import ast
import functools
import symtable
import sys
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from executed.discover import Repository, import_statements, nested, parse, sibling_modules
from executed.snippet import Snippet, SnippetError, strip_settings

_MARKER = "--8<--"
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_IMPORTS = (ast.Import, ast.ImportFrom)
# Expressions whose value nothing can change, so that one copy serves a whole program.
_LASTING = (
    ast.Constant, ast.Name, ast.Attribute, ast.UnaryOp, ast.BinOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.Tuple,
    ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop,
)
_DEVICE = ast.dump(ast.parse("torch.cuda.is_available()", mode="eval").body)


@dataclass(frozen=True)
class Cell:
    """One piece of a program: a snippet's part of it, without imports."""

    snippet: Snippet
    title: str
    """First paragraph of the docstring of the snippet that the piece comes from."""
    code: str


@dataclass(frozen=True)
class Program:
    """A complete program: docstring, imports, then cells in order."""

    docstring: str
    """As written, with its quotes."""
    imports: str
    cells: tuple[Cell, ...]

    @property
    def text(self) -> str:
        if len(self.cells) == 1:
            body = self.cells[0].code
        else:
            body = "\n\n\n".join(join_statements([_rule(cell.title), cell.code]) for cell in self.cells)
        pieces = [piece for piece in (self.docstring, self.imports) if piece]
        gap = "\n\n\n" if self.imports and _is_block(body) else "\n\n"
        return "\n\n".join(pieces) + (gap if pieces else "") + f"{body}\n"


@dataclass(frozen=True)
class _Statement:
    """A top-level statement with the comment lines above it."""

    node: ast.stmt
    text: str
    binds: frozenset[str]
    reads: frozenset[str]
    """Names that it looks up outside itself, in function bodies too."""

    @functools.cached_property
    def _dump(self) -> str:
        return ast.dump(self.node)

    def says_the_same(self, other: "_Statement", name: str) -> bool:
        """Whether it and another statement give a name the same value, comments and layout aside."""
        return self is other or self._shape(name) == other._shape(name)

    def _shape(self, name: str) -> str:
        if not isinstance(self.node, _IMPORTS):
            return self._dump
        module = getattr(self.node, "module", None)
        for alias in self.node.names:
            if module is None and alias.asname is None and alias.name.split(".")[0] == name:
                return f"import {name}"  # import a.b binds a, just as import a does
            if (alias.asname or alias.name) == name:
                return f"from {module} import {alias.name}"
        return "import *"

    def makes(self, name: str) -> bool:
        """Whether the value of ``name`` is due to it: it binds the name, or changes what that holds."""
        definition = isinstance(self.node, (*_FUNCTIONS, *_IMPORTS))
        return name in self.binds or not definition and name in self.reads and not self._only_binds

    @property
    def _only_binds(self) -> bool:
        targets = self.node.targets if isinstance(self.node, ast.Assign) else [getattr(self.node, "target", None)]
        return isinstance(self.node, (ast.Assign, ast.AnnAssign)) and all(isinstance(t, ast.Name) for t in targets)

    @property
    def is_lasting(self) -> bool:
        """Whether saying it once more would change nothing."""
        if isinstance(self.node, _FUNCTIONS):
            return True
        value = self.node.value if isinstance(self.node, (ast.Assign, ast.AnnAssign)) else None
        named = self._only_binds and all(name.isupper() for name in self.binds)
        return value is not None and named and _lasts(value)


def assemble(repository: Repository, snippet: Snippet) -> str:
    """Return the program text of ``snippet``. Raises ``SnippetError`` where it cannot be one file."""
    if ("program", snippet) not in repository.memory:
        whole = not snippet.settings.bundle and not repository.imports(snippet)
        text = without_markers(strip_settings(snippet.text)) if whole else program(repository, snippet).text
        repository.memory["program", snippet] = text
    return repository.memory["program", snippet]


def program(repository: Repository, snippet: Snippet) -> Program:
    """Return the program of ``snippet`` in pieces, one cell for each bundled part."""
    if ("cells", snippet) not in repository.memory:
        parts = repository.parts(snippet) or (snippet,)
        writer = _Writer(repository)
        cells = tuple(Cell(part, _title(part), writer.cell(part)) for part in parts)
        whole = Program(_docstring(snippet), "\n".join(sort_imports(writer.imports)), cells)
        repository.memory["cells", snippet] = whole
    return repository.memory["cells", snippet]


def kernel_source(repository: Repository, snippet: Snippet, name: str) -> list[str]:
    """The lines of a function that a snippet defines or imports, decorators first. Raises ``SnippetError``."""
    for part in (snippet, *repository.closure(snippet)):
        for node in parse(part).body:
            if isinstance(node, ast.FunctionDef) and node.name == name:
                lines = part.text.split("\n")[_first_line(node) - 1 : node.end_lineno]
                return without_markers("\n".join(lines)).split("\n")
    raise SnippetError(f"{snippet.path}: neither it nor what it imports defines a function {name}")


def without_markers(text: str) -> str:
    """Drop the lines that open or close a region."""
    return "\n".join(line for line in text.split("\n") if not _is_marker(line))


def sort_imports(lines: Iterable[str]) -> list[str]:
    """Order import lines, each once: ``from __future__``, then the standard library, then the rest."""

    def rank(line: str) -> tuple[int, str]:
        module = line.split()[1].split(".")[0]
        return (0 if module == "__future__" else 1 if module in sys.stdlib_module_names else 2, line)

    ordered = sorted(dict.fromkeys(lines), key=rank)
    spaced: list[str] = []
    for previous, line in zip([None, *ordered], ordered):
        if previous is not None and rank(previous)[0] != rank(line)[0]:
            spaced.append("")
        spaced.append(line)
    return spaced


class _Writer:
    """Collects imports and definitions while the parts of a program are written in order."""

    def __init__(self, repository: Repository):
        self.repository = repository
        self.imports: list[str] = []
        self.bound: dict[str, tuple[_Statement, Snippet]] = {}
        """Name to the statement that bound it last, and where that came from."""
        self.needed: dict[str, Snippet] = {}
        """Name to the snippet whose functions look it up when they are called."""
        self.inlining: list[Snippet] = []

    def cell(self, snippet: Snippet) -> str:
        """The text of one part: first what it imports from siblings, then its own statements."""
        top = parse(snippet).body
        pieces: list[str] = []
        for node in import_statements(snippet):
            other = self._sibling(node)
            if other is None:
                continue
            if not any(node is statement for statement in top):
                raise SnippetError(f"{snippet.path}:{node.lineno}: import from a sibling at the top of the file")
            if isinstance(node, ast.Import) or any(alias.asname or alias.name == "*" for alias in node.names):
                raise SnippetError(
                    f"{snippet.path}:{node.lineno}: import names from a snippet plainly: "
                    f"from {other.module} import NAME"
                )
            wanted = [alias.name for alias in node.names]
            pieces += self._inlined(other, wanted, f"{snippet.path}:{node.lineno}")
        leading = True
        for statement in statements(snippet, unwrap=True):
            leading = leading and isinstance(statement.node, _IMPORTS)
            pieces += self._emit(statement, snippet, hoist=leading)
        return join_statements(pieces)

    def _sibling(self, node: ast.AST) -> Snippet | None:
        for module in sibling_modules(node):
            if module.replace(".", "/") in self.repository.snippets:
                return self.repository.snippets[module.replace(".", "/")]
        return None

    def _inlined(self, snippet: Snippet, wanted: list[str], where: str) -> Iterator[str]:
        """The definitions of ``snippet`` that ``wanted`` names, and all that they need."""
        if snippet in self.inlining:
            raise SnippetError(f"{where}: {snippet} imports, in a circle, what imports it")
        own = list(statements(snippet, unwrap=False))
        bound = {name for statement in own for name in statement.binds}
        needed: set[str] = set()
        waiting = list(wanted)
        while waiting:
            name = waiting.pop()
            if name in bound and name not in needed:
                needed.add(name)
                waiting += [read for statement in own if statement.makes(name) for read in statement.reads]
        missing = [name for name in wanted if name not in bound]
        if missing:
            raise SnippetError(f"{where}: {snippet.path} defines no {missing[0]}")
        self.inlining.append(snippet)
        for statement in own:
            line = f"{snippet.path}:{statement.node.lineno}"
            other = self._sibling(statement.node)
            if other is not None:
                names = [alias.name for alias in statement.node.names if alias.name in needed]
                yield from self._inlined(other, names, line) if names else ()
            elif "*" in statement.binds:
                raise SnippetError(f"{line}: names are imported from here ({where}), so nobody knows what * brings")
            elif isinstance(statement.node, ast.Expr) and statement.reads & needed:
                raise SnippetError(
                    f"{line}: {', '.join(sorted(statement.reads & needed))} is imported from here ({where}); "
                    "what this file does with it belongs into its main block"
                )
            elif any(map(statement.makes, needed)):
                yield from self._emit(statement, snippet, hoist=True)
        self.inlining.pop()

    def _emit(self, statement: _Statement, snippet: Snippet, *, hoist: bool) -> Iterator[str]:
        if self._sibling(statement.node) is not None:
            return
        said_before = all(
            name in self.bound and statement.says_the_same(self.bound[name][0], name) for name in statement.binds
        )
        for name in statement.binds:
            self._claim(name, statement, snippet)
        if isinstance(statement.node, _FUNCTIONS):
            for name in statement.reads:
                self.needed.setdefault(name, snippet)
        if isinstance(statement.node, _IMPORTS) and hoist:
            self.imports.append(ast.unparse(statement.node))
        elif not (said_before and statement.is_lasting):
            yield statement.text

    def _claim(self, name: str, statement: _Statement, snippet: Snippet) -> None:
        """Let ``statement`` bind ``name``, unless another snippet's code relies on what it was."""
        before, owner = self.bound.get(name, (statement, snippet))
        user = self.needed.get(name, snippet)
        fixed = isinstance(statement.node, (*_FUNCTIONS, *_IMPORTS))
        if (user is not snippet or fixed and owner is not snippet) and not statement.says_the_same(before, name):
            other = user if user is not snippet else owner
            raise SnippetError(
                f"{snippet.path}:{statement.node.lineno}: {name} means something else in {other.path}; "
                "one program holds both, so rename one"
            )
        self.bound[name] = (statement, snippet)


@functools.cache
def statements(snippet: Snippet, *, unwrap: bool) -> tuple[_Statement, ...]:
    """Cut a snippet into its top-level statements, the docstring left out.

    ``unwrap`` puts the body of ``if __name__ == "__main__":`` in its place; without it that
    block is left out, as an import would.
    """
    if unwrap:
        return tuple(_unwrapped(snippet))
    return tuple(statement for statement in _top_level(snippet) if not _is_main_guard(statement.node))


def _unwrapped(snippet: Snippet) -> Iterator[_Statement]:
    for statement in _top_level(snippet):
        if _is_main_guard(statement.node):
            above = statement.node.lineno
            lines = _main_block(statement.node, snippet).split("\n")
            for child, piece in _chunks(lines, statement.node.body, above, snippet, above=above):
                yield _statement(child, piece)
        else:
            yield statement


@functools.cache
def _top_level(snippet: Snippet) -> tuple[_Statement, ...]:
    tree = parse(snippet)
    body = tree.body[1:] if ast.get_docstring(tree) is not None else tree.body
    previous = tree.body[0].end_lineno if body is not tree.body else 0
    lines = snippet.text.split("\n")
    return tuple(_statement(node, chunk) for node, chunk in _chunks(lines, body, previous, snippet))


def join_statements(pieces: Iterable[str]) -> str:
    """Join statements as a formatter would: two blank lines around definitions."""
    text = last = ""
    for piece in pieces:
        if text:
            around_definition = _is_block(piece) or _is_block(last)
            text += "\n\n\n" + piece.lstrip("\n") if around_definition else "\n" + piece
        else:
            text = piece.lstrip("\n")
        last = piece
    return text


def _chunks(
    lines: list[str], body: list[ast.stmt], previous: int, snippet: Snippet, *, above: int = 0
) -> Iterator[tuple[ast.stmt, str]]:
    """Each statement with its text and the comments above it.

    ``previous`` is the last line before, and ``above`` how many lines of the file ``lines`` lacks.
    """
    for node in body:
        first = _first_line(node) - above
        if first <= previous - above:
            line = f"{snippet.path}:{first + above}"
            raise SnippetError(f"{line}: two statements on one line: {lines[first - 1].strip()!r}")
        start = _with_comments(lines, first, previous - above)
        previous = node.end_lineno
        yield node, without_markers(strip_settings("\n".join(lines[start - 1 : previous - above])))


def _main_block(node: ast.If, snippet: Snippet) -> str:
    where = f"{snippet.path}:{node.lineno}: the main block"
    if node.orelse:
        raise SnippetError(f"{where} has an else, which a program of its own would never run")
    if node.body[0].lineno == node.lineno:
        raise SnippetError(f"{where} must stand on lines of its own")
    inner = textwrap.dedent("\n".join(snippet.text.split("\n")[node.lineno : node.end_lineno]))
    # Only strings can run over a line's end.
    spans = any(mark in inner for mark in ('"""', "'''", "\\\n"))
    if spans and ast.dump(ast.parse(inner)) != ast.dump(ast.Module(node.body, [])):
        raise SnippetError(f"{where} holds a string that moving it left would change")
    return inner


def _statement(node: ast.stmt, text: str) -> _Statement:
    binds: set[str] = set()
    reads: set[str] = set()
    if any(isinstance(n, ast.ImportFrom) and n.names[0].name == "*" for n in nested(node)):
        binds.add("*")
    waiting = [symtable.symtable(text.strip("\n"), "<snippet>", "exec")]
    while waiting:
        scope = waiting.pop()
        waiting += scope.get_children()
        for symbol in scope.get_symbols():
            outer = str(scope.get_type()) == "module"
            if outer and (symbol.is_assigned() or symbol.is_imported()):
                binds.add(symbol.get_name())
            if symbol.is_referenced() and (outer or symbol.is_global()):
                reads.add(symbol.get_name())
    return _Statement(node, text, frozenset(binds), frozenset(reads))


def _with_comments(lines: list[str], first: int, previous: int) -> int:
    """The line on which the comments right above ``first`` begin (and a blank line above them)."""
    start = first
    while start - 1 > previous and lines[start - 2].lstrip().startswith("#"):
        start -= 1
    if start - 1 > previous and previous and not lines[start - 2].strip():
        start -= 1
    return start


def _first_line(node: ast.stmt) -> int:
    return min([node.lineno, *(decorator.lineno for decorator in getattr(node, "decorator_list", []))])


def _lasts(value: ast.expr) -> bool:
    if isinstance(value, _LASTING):
        return all(_lasts(child) for child in ast.iter_child_nodes(value))
    return isinstance(value, ast.Call) and ast.dump(value) == _DEVICE


def _is_main_guard(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and ast.dump(node.test) == _MAIN


_MAIN = ast.dump(ast.parse('__name__ == "__main__"', mode="eval").body)


def _is_marker(line: str) -> bool:
    stripped = line.strip()
    return stripped.startswith("#") and _MARKER in stripped


def _is_block(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    return bool(lines) and lines[0].startswith(("def ", "class ", "@", "async "))


def _docstring(snippet: Snippet) -> str:
    tree = parse(snippet)
    if ast.get_docstring(tree) is None:
        return ""
    node = tree.body[0]
    lines = snippet.text.split("\n")[node.lineno - 1 : node.end_lineno]
    lines[-1] = lines[-1].encode()[: node.end_col_offset].decode()  # columns count bytes
    return "\n".join(lines)


def _title(snippet: Snippet) -> str:
    docstring = ast.get_docstring(parse(snippet)) or snippet.stem
    return " ".join(docstring.split("\n\n")[0].split()).rstrip(".")


def _rule(title: str) -> str:
    return "\n".join(f"# {line}" for line in textwrap.wrap(title, 70))
