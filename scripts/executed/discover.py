"""Find the snippets of a repository, and which of them import which."""

import ast
import functools
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from executed import snippet as snippets
from executed.snippet import Snippet, SnippetError


@dataclass(frozen=True)
class Repository:
    """Everything that one run of the engine looks at: where it lies, and its snippets."""

    root: Path
    snippets: dict[str, Snippet]
    """Name to snippet, in the order of names."""
    errors: tuple[str, ...] = ()
    """What is wrong with files that could not be loaded as snippets."""
    memory: dict = field(default_factory=dict, init=False, repr=False, compare=False)
    """What was worked out once: a page asks for the same digests hundreds of times."""

    @property
    def folder(self) -> Path:
        return self.root / "snippets"

    @property
    def docs(self) -> Path:
        return self.root / "docs"

    def parts(self, snippet: Snippet) -> tuple[Snippet, ...]:
        """The snippets that ``snippet`` bundles, in its order. Raises ``SnippetError``."""
        found = []
        for stem in snippet.settings.bundle:
            name = f"{snippet.chapter}/{stem}"
            if name not in self.snippets or name == snippet.name:
                raise SnippetError(f"{snippet.path}: bundle names {stem!r}, but there is no snippet {name}")
            found.append(self.snippets[name])
        return tuple(found)

    def imports(self, snippet: Snippet) -> tuple[Snippet, ...]:
        """The snippets that ``snippet`` itself imports from. Raises ``SnippetError``."""
        found = {}
        for node in import_statements(snippet):
            for module in sibling_modules(node):
                name = module.replace(".", "/")
                if name in self.snippets:
                    found[name] = self.snippets[name]
                elif (self.folder / module.split(".")[0]).is_dir():
                    raise SnippetError(
                        f"{snippet.path}:{node.lineno}: imports {module}, but there is no snippet {name}"
                    )
        return tuple(found.values())

    def closure(self, snippet: Snippet) -> tuple[Snippet, ...]:
        """All that ``snippet`` imports or bundles, directly or not, itself left out."""
        if ("closure", snippet) not in self.memory:
            self.memory["closure", snippet] = self._closure(snippet)
        return self.memory["closure", snippet]

    def _closure(self, snippet: Snippet) -> tuple[Snippet, ...]:
        found: dict[str, Snippet] = {}
        waiting = [snippet]
        while waiting:
            current = waiting.pop()
            for other in (*self.parts(current), *self.imports(current)):
                if other.name == snippet.name:
                    raise SnippetError(f"{snippet.path}: {current.name} imports or bundles it, in a circle")
                if other.name not in found:
                    found[other.name] = other
                    waiting.append(other)
        return tuple(found[name] for name in sorted(found))


def discover(root: Path) -> Repository:
    """Load every snippet below ``root/snippets``. A file that is none is an error in the result."""
    folder = root / "snippets"
    found: dict[str, Snippet] = {}
    errors: list[str] = []
    for path in sorted([*folder.rglob("*.py"), *folder.rglob("*.mojo")]):
        try:
            _check_place(path, folder)
            snippet = snippets.load(path, folder)
            if snippet.is_python:
                parse(snippet)
            if snippet.name in found:
                raise SnippetError(f"{path}: {found[snippet.name].path.name} has the same name already")
            found[snippet.name] = snippet
        except SnippetError as error:
            errors.append(str(error))
    repository = Repository(root, found)
    for snippet in list(found.values()):
        try:
            repository.closure(snippet)
            found[snippet.name] = _with_declarations_of_parts(repository, snippet)
        except SnippetError as error:
            errors.append(str(error))
    return Repository(root, found, tuple(dict.fromkeys(errors)))


def capture_files(root: Path) -> Iterator[tuple[str, str, Path]]:
    """Yield ``(snippet name, runner, path)`` of every committed capture, whoever it belongs to."""
    folder = root / "snippets"
    for path in sorted(folder.rglob("*.txt")):
        stem, _, runner = path.name.removesuffix(".txt").rpartition(".")
        if stem:
            yield (path.parent.relative_to(folder) / stem).as_posix(), runner, path


@functools.cache
def parse(snippet: Snippet) -> ast.Module:
    """Parse a snippet's source. Raises ``SnippetError`` that names the line."""
    try:
        return ast.parse(snippet.text)
    except SyntaxError as error:
        raise SnippetError(f"{snippet.path}:{error.lineno}: {error.msg}") from None


@functools.cache
def import_statements(snippet: Snippet) -> tuple[ast.stmt, ...]:
    """Every import statement of a snippet, wherever it stands."""
    if not snippet.is_python:
        return ()
    return tuple(node for node in nested(parse(snippet)) if isinstance(node, (ast.Import, ast.ImportFrom)))


def nested(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node and every statement in it, at any depth; expressions, nearly all of a tree, are passed over."""
    yield node
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for child in getattr(node, name, ()):
            yield from nested(child)


@functools.cache
def jitted(snippet: Snippet) -> tuple[ast.FunctionDef, ...]:
    """The functions that Triton or Gluon compiles, where a snippet writes them; a bundle writes none."""
    if not snippet.is_python or snippet.settings.bundle:
        return ()
    return tuple(
        node for node in nested(parse(snippet)) if isinstance(node, ast.FunctionDef)
        and any(ast.unparse(decorator).partition("(")[0].endswith(".jit") for decorator in node.decorator_list)
    )


def sibling_modules(node: ast.AST) -> Iterator[str]:
    """Yield the dotted modules that an import statement names, where they could be snippets."""
    if isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
        yield node.module
    elif isinstance(node, ast.Import):
        for alias in node.names:
            yield alias.name


def _with_declarations_of_parts(repository: Repository, snippet: Snippet) -> Snippet:
    """A bundle prints what its parts print, so what they declare holds there too."""
    own = snippet.settings
    parts = [part.settings for part in repository.parts(snippet)]
    return replace(snippet, settings=replace(
        own,
        labels=(*own.labels, *(label for part in parts for label in part.labels)),
        rejects=tuple(dict.fromkeys((*own.rejects, *(kernel for part in parts for kernel in part.rejects)))),
        differs=own.differs or next((part.differs for part in parts if part.differs), None),
    ))


def _check_place(path: Path, folder: Path) -> None:
    relative = path.relative_to(folder)
    if not path.resolve().is_relative_to(folder.resolve()):
        raise SnippetError(f"{path}: a link that leaves {folder.name}/")
    names = (*relative.parent.parts, path.stem)
    if len(relative.parts) != 2 or not all(name.isidentifier() for name in names):
        raise SnippetError(
            f"{path}: a snippet lies at {folder.name}/CHAPTER/NAME.py, both Python identifiers"
        )
