"""What expanding a page needs to know of the book, and of where the page lies."""

from collections.abc import Callable
from dataclasses import dataclass

from executed import notes
from executed.capture import Capture
from executed.discover import Repository
from executed.judge import Verdict, look
from executed.runners import RUNNERS
from executed.snippet import Snippet


@dataclass(frozen=True)
class Context:
    """The book as one page sees it."""

    repository: Repository
    pins: dict[str, str]
    address: Callable[[str], str]
    """From a file of the site (its path below ``docs/``) to its address, as seen from the page."""
    chapters: tuple[tuple[int, str, str | None], ...] = ()
    """Number, title, and the page's path below ``docs/`` where the chapter is complete."""

    def look(self, snippet: Snippet, runner: str) -> Verdict:
        """The verdict on a capture, by digests alone."""
        key = ("look", snippet, runner)
        if key not in self.repository.memory:
            self.repository.memory[key] = look(self.repository, snippet, runner, self.pins)
        return self.repository.memory[key]


def program_path(snippet: Snippet) -> str:
    """Where the site keeps the downloadable program of a snippet."""
    return f"programs/{snippet.chapter}/{snippet.file}"


def notebook_path(snippet: Snippet) -> str:
    """Where the site keeps the downloadable notebook of a chapter's program."""
    return f"notebooks/{snippet.chapter}.ipynb"


def notebook_page_path(snippet: Snippet) -> str:
    """The page that shows that notebook, as MkDocs names its source."""
    return f"notebooks/{snippet.chapter}.md"


def runner_title(runner: str, capture: Capture | None) -> str:
    """What a page calls a runner: a GPU goes by the name of the device."""
    if runner == "gpu" and capture is not None:
        return capture.device.split(",")[0].removeprefix("NVIDIA ").removeprefix("AMD ")
    return RUNNERS[runner].title


def complaint(verdict: Verdict) -> str:
    """What is wrong with a capture, and the command that mends it; while serving, what is done about it."""
    said = notes.said.get((verdict.snippet, verdict.runner))
    if said is not None:
        return f"{verdict.snippet} ({verdict.runner}): {said}"
    return f"{verdict}; {verdict.advice}"
