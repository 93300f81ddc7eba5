"""Say what was found: where, what, the difference, and the command that mends it."""

import sys
import time
from collections.abc import Iterable, Iterator
from difflib import unified_diff
from pathlib import Path

from executed.capture import Capture
from executed.judge import State, Verdict
from executed.lint import Page
from executed.result import Result
from executed.snippet import Snippet


def tell(verdict: Verdict, pages: Iterable[Page], root: Path) -> str:
    """The message for one capture that is not fresh, some lines long."""
    lines = [str(verdict)]
    lines += [f"  shown on {page.path.relative_to(root)}" for page in pages if page.uses(verdict.snippet)]
    if verdict.renewed is not None and verdict.recorded is not None:
        lines += [f"  {line}" for line in difference(verdict.recorded, verdict.renewed)]
    elif verdict.printed and verdict.state is State.FAILED:
        lines += [f"  | {line}" for line in verdict.printed.rstrip("\n").split("\n")[-15:]]
    lines.append(f"  {verdict.advice}")
    return "\n".join(lines)


def annotations(verdict: Verdict, snippet: Snippet, pages: Iterable[Page], root: Path) -> Iterator[str]:
    """The same as GitHub annotates it: at the snippet, and at each line of a page that depends on it."""
    message = f"{verdict}; {verdict.advice}"
    yield annotation(snippet.path.relative_to(root).as_posix(), 1, message)
    for page in pages:
        for line in page.lines_using(verdict.snippet):
            yield annotation(page.path.relative_to(root).as_posix(), line, message)


def annotation(file: str, line: int, message: str) -> str:
    """One workflow command that marks a line of a file, escaped as GitHub reads it."""
    escaped = message.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
    name = file.replace("%", "%25").replace(":", "%3A").replace(",", "%2C")
    return f"::error file={name},line={line}::{escaped}"


def difference(recorded: Capture, renewed: Capture) -> list[str]:
    """A unified diff between what is recorded and what should be."""
    name = f"{recorded.snippet}.{recorded.runner}.txt"
    lines = unified_diff(
        recorded.text.splitlines(), renewed.text.splitlines(),
        f"{name} (recorded)", f"{name} (printed now)", lineterm="", n=2,
    )
    return list(lines)


def follow(results: Iterable[Result], total: int) -> Iterator[Result]:
    """Pass results on, and show how far the run is: a bar on a terminal, else a line each."""
    start = time.monotonic()
    terminal = total > 0 and sys.stderr.isatty()
    if terminal:
        _bar(0, total, "importing torch and triton")
    for number, result in enumerate(results, start=1):
        if terminal:
            _bar(number, total, f"{result.runner}: {result.snippet}")
        else:
            print(
                f"{number}/{total} {result.runner} {result.snippet} {result.seconds:.2f} s", file=sys.stderr, flush=True
            )
        yield result
    if terminal:
        print(f"\r\x1b[K{total} run in {time.monotonic() - start:.1f} s", file=sys.stderr)


def _bar(done: int, total: int, text: str, width: int = 24) -> None:
    filled = width * done // max(total, 1)
    bar = "█" * filled + "░" * (width - filled)
    print(f"\r\x1b[K{bar} {done}/{total} {text}"[:100], end="", file=sys.stderr, flush=True)
