"""What one run of a snippet printed: what passes from ``run`` to ``judge``."""

from dataclasses import dataclass, field

from executed.snippet import Snippet


@dataclass(frozen=True)
class Result:
    """What one run of one snippet printed, and how it ended."""

    snippet: Snippet
    runner: str
    device: str
    versions: str
    exit: int
    """Exit status; negative is the number of the signal that ended it."""
    stopped: str | None
    """Why the engine stopped it, where it did."""
    seconds: float
    text: str = field(repr=False)
    """What goes into the capture."""
    raised: str | None = None
    """Name of the exception that ended the program, without its module."""
    said: str = field(default="", repr=False)
    """What the program itself printed, where the capture holds something else."""
