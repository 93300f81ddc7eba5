"""Make one self-contained program of a snippet: what it imports from siblings is written into it.

The assembled text is what runs, what a reader downloads, and what a chapter's notebook is cut
from, so no kernel needs to stand twice in the repository.
"""

import ast
import sys
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from executed.discover import Repository, parse, sibling_modules
from executed.snippet import Snippet, SnippetError, strip_settings

_MARKER = "--8<--"


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
    imports: str
    cells: tuple[Cell, ...]

    @property
    def text(self) -> str:
        head = f'"""{self.docstring}"""\n\n' if self.docstring else ""
        if len(self.cells) == 1:
            body = self.cells[0].code
        else:
            body = "\n\n\n".join(f"{_rule(cell.title)}\n\n\n{cell.code}" for cell in self.cells)
        imports = f"{self.imports}\n\n" if self.imports else ""
        return f"{head}{imports}{body}\n"


@dataclass(frozen=True)
class _Statement:
    """A top-level statement with the comment lines above it."""

    node: ast.stmt
    text: str
    binds: frozenset[str]
    reads: frozenset[str]
    """Names that it looks up outside itself, in function bodies too."""

    @property
    def is_definition(self) -> bool:
        if isinstance(self.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return True
        return bool(self.binds) and all(name.isupper() for name in self.binds)


def assemble(repository: Repository, snippet: Snippet) -> str:
    """Return the program text of ``snippet``. Raises ``SnippetError`` where names collide."""
    if not snippet.settings.bundle and not repository.imports(snippet): 
        return without_markers(strip_settings(snippet.text))
    return program(repository, snippet).text


def program(repository: Repository, snippet: Snippet) -> Program:
    """Return the program of ``snippet`` in pieces, one cell for each bundled part."""
    parts = repository.parts(snippet) or (snippet,)
    writer = _Writer(repository)
    cells = tuple(Cell(part, _title(part), writer.cell(part)) for part in parts)
    docstring = ast.get_docstring(parse(snippet), clean=False) or ""
    return Program(docstring, "\n".join(sort_imports(writer.imports)), cells)


def kernel_source(snippet: Snippet, name: str) -> list[str]:
    """The lines of a function of a snippet, its decorators first. Raises ``SnippetError``."""
    for node in parse(snippet).body:
        if isinstance(node, ast.FunctionDef) and node.name == name:
            first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
            return without_markers("\n".join(snippet.text.split("\n")[first - 1 : node.end_lineno])).split("\n")
    raise SnippetError(f"{snippet.path}: defines no function {name}")


def without_markers(text: str) -> str:
    """Drop the lines that open or close a region."""
    return "".join(line for line in text.splitlines(True) if not _is_marker(line))


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
        self.bound: dict[str, tuple[str, Snippet]] = {}
        """Name to the text that bound it last, and where that came from."""
        self.frozen: dict[str, Snippet] = {}
        """Names that an emitted function looks up when called: they must not be bound anew."""

    def cell(self, snippet: Snippet) -> str:
        """The text of one part: first what it imports from siblings, then its own statements."""
        pieces = [*self._inlined(snippet), *self._own(snippet)]
        return join_statements(pieces)

    def _own(self, snippet: Snippet) -> Iterator[str]:
        for statement in statements(snippet, unwrap=True):
            yield from self._emit(statement, snippet)

    def _inlined(self, snippet: Snippet) -> Iterator[str]:
        """The definitions that ``snippet`` imports from siblings, and all that they need."""
        for node in parse(snippet).body:
            for module in sibling_modules(node):
                other = self.repository.snippets.get(module.replace(".", "/"))
                if other is None:
                    continue
                if isinstance(node, ast.Import) or any(a.asname or a.name == "*" for a in node.names):
                    raise SnippetError(
                        f"{snippet.path}:{node.lineno}: import names from a snippet plainly: "
                        f"from {module} import NAME"
                    )
                wanted = [alias.name for alias in node.names]
                yield from self._definitions(other, wanted, f"{snippet.path}:{node.lineno}")

    def _definitions(self, snippet: Snippet, wanted: list[str], where: str) -> Iterator[str]:
        own = list(statements(snippet, unwrap=False))
        needed: set[str] = set()
        waiting = list(wanted)
        while waiting:
            name = waiting.pop()
            if name in needed:
                continue
            needed.add(name)
            for statement in own:
                if name in statement.binds:
                    waiting.extend(statement.reads)
        missing = [name for name in wanted if not any(name in s.binds for s in own)]
        if missing:
            raise SnippetError(f"{where}: {snippet.path} defines no {missing[0]}")
        yield from self._inlined_for(snippet, needed)
        for statement in own:
            if statement.binds & needed:
                yield from self._emit(statement, snippet)

    def _inlined_for(self, snippet: Snippet, needed: set[str]) -> Iterator[str]:
        """What ``snippet`` imports in turn, as far as ``needed`` names it."""
        for node in parse(snippet).body:
            if not isinstance(node, ast.ImportFrom):
                continue
            other = self.repository.snippets.get((node.module or "").replace(".", "/"))
            wanted = [alias.name for alias in node.names if alias.name in needed]
            if other is not None and wanted:
                yield from self._definitions(other, wanted, f"{snippet.path}:{node.lineno}")

    def _emit(self, statement: _Statement, snippet: Snippet) -> Iterator[str]:
        if isinstance(statement.node, (ast.Import, ast.ImportFrom)):
            if not any(m.replace(".", "/") in self.repository.snippets for m in sibling_modules(statement.node)):
                self.imports.append(ast.unparse(statement.node))
            return
        known = {self.bound.get(name, (None,))[0] for name in statement.binds}
        if statement.is_definition and known == {statement.text}:
            return
        for name in statement.binds:
            if name in self.bound and (name in self.frozen or statement.is_definition and not name.isupper()):
                other = self.frozen.get(name, self.bound[name][1])
                raise SnippetError(
                    f"{snippet.path}:{statement.node.lineno}: {name} means something else in {other.path}; "
                    "one program holds both, so rename one"
                )
            self.bound[name] = (statement.text, snippet)
        if isinstance(statement.node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            for name in statement.reads:
                self.frozen.setdefault(name, snippet)
        yield statement.text


def statements(snippet: Snippet, *, unwrap: bool) -> Iterator[_Statement]:
    """Cut a snippet into its top-level statements, the docstring left out.

    ``unwrap`` puts the body of ``if __name__ == "__main__":`` in its place; without it that
    block is left out, as an import would.
    """
    text = without_markers(strip_settings(snippet.text))
    tree = ast.parse(text)
    lines = text.split("\n")
    body = tree.body[1:] if ast.get_docstring(tree) is not None else tree.body
    previous = tree.body[0].end_lineno if body is not tree.body else 0
    for node in body:
        first = min([node.lineno, *(d.lineno for d in getattr(node, "decorator_list", []))])
        start = _with_comments(lines, first, previous)
        chunk = "\n".join(lines[start - 1 : node.end_lineno])
        previous = node.end_lineno
        if _is_main_guard(node):
            if unwrap:
                yield from _guarded(lines, node, snippet)
        else:
            yield _Statement(node, chunk, frozenset(_binds(node)), frozenset(_reads(node)))


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


def _guarded(lines: list[str], node: ast.If, snippet: Snippet) -> Iterator[_Statement]:
    dedented = textwrap.dedent("\n".join(lines[node.lineno : node.end_lineno]))
    if ast.dump(ast.parse(dedented)) != ast.dump(ast.Module(node.body, [])):
        raise SnippetError(f"{snippet.path}:{node.lineno}: moving the main block left would change a string in it")
    rows = dedented.split("\n")
    previous = 0
    for child in ast.parse(dedented).body:
        start = _with_comments(rows, child.lineno, previous)
        chunk = "\n".join(rows[start - 1 : child.end_lineno])
        previous = child.end_lineno
        yield _Statement(child, chunk, frozenset(_binds(child)), frozenset(_reads(child)))


def _with_comments(lines: list[str], first: int, previous: int) -> int:
    """The line on which the comments right above ``first`` begin (and a blank line above them)."""
    start = first
    while start - 1 > previous and lines[start - 2].lstrip().startswith("#"):
        start -= 1
    if start - 1 > previous and previous and not lines[start - 2].strip():
        start -= 1
    return start


def _binds(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        yield node.name
    elif isinstance(node, (ast.Import, ast.ImportFrom)):
        for alias in node.names:
            yield (alias.asname or alias.name).split(".")[0]
    else:
        for child in ast.walk(node):
            if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Store):
                yield child.id


def _reads(node: ast.stmt) -> Iterator[str]:
    local: set[str] = set()
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        local = {a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)}
        local |= {
            n.id for n in ast.walk(node) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
        }
    for child in ast.walk(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, ast.Load) and child.id not in local:
            yield child.id


def _is_main_guard(node: ast.stmt) -> bool:
    return (
        isinstance(node, ast.If)
        and isinstance(node.test, ast.Compare)
        and isinstance(node.test.left, ast.Name)
        and node.test.left.id == "__name__"
    )


def _is_marker(line: str) -> bool:
    stripped = line.strip()
    return stripped.startswith("#") and _MARKER in stripped


def _is_block(text: str) -> bool:
    lines = [line for line in text.split("\n") if line.strip() and not line.lstrip().startswith("#")]
    return bool(lines) and lines[0].startswith(("def ", "class ", "@", "async "))


def _title(snippet: Snippet) -> str:
    docstring = ast.get_docstring(parse(snippet)) or snippet.stem
    return " ".join(docstring.split("\n\n")[0].split()).rstrip(".")


def _rule(title: str) -> str:
    return "\n".join(f"# {line}" for line in textwrap.wrap(title, 70))
