"""Say whether the runners of a snippet agree on what it prints."""

from collections.abc import Mapping, Sequence
from enum import Enum

from executed.capture import Capture, CaptureError, read
from executed.compare import compare
from executed.digest import source_digest
from executed.discover import Repository
from executed.snippet import Snippet


class Agreement(Enum):
    """How what a GPU printed relates to what the interpreter printed."""

    ALONE = "one runner"
    SAME = "same"
    WITHIN = "within tolerance"
    ON_PURPOSE = "differs on purpose"
    UNEXPLAINED = "differs"


def printed(repository: Repository, snippet: Snippet) -> dict[str, Capture]:
    """The captures, by runner, that hold what the program prints now. Stale ones are left out."""
    found = {}
    for runner in snippet.settings.runners:
        if not snippet.prints(runner):
            continue
        try:
            capture = read(snippet.capture_path(runner))
        except CaptureError:
            continue  # Reported as a state.
        if capture is not None and capture.source == source_digest(repository, snippet, runner):
            found[runner] = capture
    return found


def agreement(snippet: Snippet, captures: Mapping[str, Capture]) -> Agreement:
    """Compare what the runners printed."""
    return agreement_of([capture.text for capture in captures.values()], snippet)


def agreement_of(texts: Sequence[str], snippet: Snippet) -> Agreement:
    """Compare outputs of a snippet, or one section of each."""
    first, *others = texts or [None]
    if not others:
        return Agreement.ALONE
    if all(other == first for other in others):
        return Agreement.SAME
    if not any(compare(first, other, snippet.settings.labels).changed for other in others):
        return Agreement.WITHIN
    return Agreement.ON_PURPOSE if snippet.settings.differs else Agreement.UNEXPLAINED


def complaint(repository: Repository, snippet: Snippet) -> str | None:
    """What is wrong with how the runners of a snippet agree, in words; None where nothing is."""
    captures = printed(repository, snippet)
    found = agreement(snippet, captures)
    if found is Agreement.UNEXPLAINED:
        return (
            f'{snippet.path}: {" and ".join(captures)} print different things; where that is the lesson, '
            'the snippet declares differs = "why"'
        )
    if found in (Agreement.SAME, Agreement.WITHIN) and snippet.settings.differs and not snippet.settings.bundle:
        return f"{snippet.path}: it declares that its runners differ, but they are: {found.value}"
    return None
