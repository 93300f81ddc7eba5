"""Name the exact code behind a capture, whatever the platform or the Python version."""

import functools
import hashlib
import io
import tokenize

from executed import FORMAT
from executed.discover import Repository
from executed.snippet import Snippet


def source_digest(repository: Repository, snippet: Snippet, runner: str) -> str:
    """Digest all code that a run of ``snippet`` depends on: itself and its transitive imports.

    Comments (region markers and the settings block among them) and line ends do not count;
    anything else does, as do the runner and the engine's format.
    """
    key = ("digest", snippet, runner)
    if key not in repository.memory:
        repository.memory[key] = _source_digest(repository, snippet, runner)
    return repository.memory[key]


def _source_digest(repository: Repository, snippet: Snippet, runner: str) -> str:
    digest = hashlib.sha256()
    _feed(digest, f"format {FORMAT}", f"runner {runner}", *snippet.settings.bundle)
    if runner == "compiler" and snippet.settings.ptx:
        _feed(digest, "ptx", *snippet.settings.ptx)
    for part in (snippet, *repository.closure(snippet)):
        _feed(digest, part.name, without_comments(part.text) if part.is_python else _without_comment_lines(part.text))
    return f"sha256:{digest.hexdigest()[:32]}"


def text_digest(text: str) -> str:
    """Digest a capture's body, so that an edit by hand shows."""
    return f"sha256:{hashlib.sha256(text.encode('utf-8')).hexdigest()[:32]}"


@functools.cache
def without_comments(text: str) -> str:
    """Drop comments, and the lines that hold nothing else, from Python source."""
    if text and not text.endswith("\n"):
        text += "\n"
    lines = text.split("\n")
    dropped = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            row, column = token.start
            kept = lines[row - 1][:column].rstrip()
            if kept:
                lines[row - 1] = kept
            else:
                dropped.add(row - 1)
    return "\n".join(line for row, line in enumerate(lines) if row not in dropped)


def _without_comment_lines(text: str) -> str:
    """The same for Mojo, which Python's tokenizer does not know: whole lines only."""
    return "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("#"))


def _feed(digest, *texts: str) -> None:
    # Lengths keep ("ab", "c") apart from ("a", "bc").
    for text in texts:
        data = text.encode("utf-8")
        digest.update(f"{len(data)}:".encode())
        digest.update(data)
