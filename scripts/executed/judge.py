"""Give every capture its state. Writing and checking differ only in what is done with it."""

import re
import signal
from dataclasses import dataclass
from enum import Enum

from executed import digest, recording
from executed.capture import Capture, CaptureError, read
from executed.compare import compare, label_of, problems
from executed.discover import Repository
from executed.facts import launches
from executed.result import Result
from executed.runners import RUNNERS
from executed.snippet import Snippet

_TIMING = re.compile(
    r"\d\s*(?:[nmuµμ]?s|sec|seconds?|min|minutes?|[kMGT]i?B/s|[kMGTP]?FLOP/?[sS]|FLOPS|it/s)\b"
    r"|\((?:[nmuµμ]?s|sec|[kMGT]i?B/s|[GTP]?FLOP/?[sS])\):|\b[nmuµμ]s:"
)


class State(Enum):
    """What is known of one capture. Everything but ``FRESH`` fails a check."""

    FRESH = "fresh"
    MISSING = "missing"
    STALE = "stale"
    EDITED = "edited"
    CHANGED = "changed"
    OUTDATED = "outdated"
    FAILED = "failed"
    ORPHAN = "orphan"


@dataclass(frozen=True)
class Verdict:
    """The state of one snippet's capture under one runner, and how it came to it."""

    snippet: str
    runner: str
    state: State
    reason: str = ""
    """Where the state needs it: what exactly is wrong, in words."""
    recorded: Capture | None = None
    printed: str | None = None
    """What a re-run printed, where there was one."""
    renewed: Capture | None = None
    """The capture that should be on disk; None where the run gave nothing to record."""

    def __str__(self) -> str:
        return f"{self.snippet} ({self.runner}) is {self.state.value}: {self.reason}"

    @property
    def fresh(self) -> bool:
        return self.state is State.FRESH

    @property
    def command(self) -> str:
        """What mends it, as typed at the repository's root."""
        if self.state is State.FAILED:
            return f"scripts/build --check --runner {self.runner} {self.snippet}"
        if self.runner == "gpu" or RUNNERS[self.runner].on_request:
            return f"scripts/build --runner {self.runner} {self.snippet}"
        return f"scripts/build {self.snippet}"

    @property
    def advice(self) -> str:
        """The command in a sentence."""
        if self.state is State.FAILED:
            return f"mend the snippet, then run: {self.command}"
        return f"run{' on a machine with a GPU' if self.runner == 'gpu' else ''}: {self.command}"


def look(repository: Repository, snippet: Snippet, runner: str, pins: dict[str, str]) -> Verdict:
    """Judge a capture by digests and front matter alone; nothing runs."""
    def verdict(state: State, reason: str = "") -> Verdict:
        return Verdict(snippet.name, runner, state, reason, recorded)

    recorded = None
    try:
        recorded = read(snippet.capture_path(runner))
    except CaptureError as error:
        return verdict(State.EDITED, str(error))
    if recorded is None:
        return verdict(State.MISSING, "it was never captured")
    if (recorded.snippet, recorded.runner) != (snippet.name, runner):
        return verdict(State.EDITED, f"its front matter names {recorded.snippet}, runner {recorded.runner}")
    if recorded.edited:
        return verdict(State.EDITED, "its output was edited by hand")
    if recorded.source != digest.source_digest(repository, snippet, runner):
        return verdict(State.STALE, "the snippet, or a file that it imports, has changed since")
    if RUNNERS[runner].pinned:
        for package, version in pins.items():
            seen = recorded.version_of(package)
            if seen != version:
                return verdict(State.OUTDATED, f"it is of {package} {seen}; requirements.txt pins {version}")
    broken = _refused(snippet, runner, recorded.text, recorded.exit)
    return verdict(State.FAILED, broken) if broken else verdict(State.FRESH)


def weigh(repository: Repository, result: Result, pins: dict[str, str], earlier: Result | None = None) -> Verdict:
    """Judge a capture by a run of its snippet, and by an ``earlier`` run of the same code if given."""
    snippet, runner = result.snippet, result.runner
    before = look(repository, snippet, runner, pins)
    recorded = before.recorded
    exit, broken = _ended(snippet, result)
    broken = broken or _refused(snippet, runner, result.text, exit)
    if earlier is not None and not broken:
        broken = _unsteady(earlier, result)
    if broken:
        return Verdict(snippet.name, runner, State.FAILED, broken, recorded, result.said or result.text)
    text = result.text
    # Old text may stay only where the same code printed it.
    if before.state in (State.FRESH, State.OUTDATED, State.FAILED):
        text = compare(recorded.text, result.text, snippet.settings.labels).text
    renewed = Capture(
        snippet.name, runner, result.device, result.versions, exit,
        digest.source_digest(repository, snippet, runner), text,
    )
    if before.state in (State.FRESH, State.FAILED):
        if before.fresh and text == recorded.text and exit == recorded.exit:
            return Verdict(snippet.name, runner, State.FRESH, "", recorded, result.text)
        return Verdict(
            snippet.name, runner, State.CHANGED, "a re-run prints something else", recorded, result.text, renewed
        )
    return Verdict(snippet.name, runner, before.state, before.reason, recorded, result.text, renewed)


def _unsteady(first: Result, second: Result) -> str | None:
    """What two runs of the same code print differently, in words; None where nothing."""
    labels = second.snippet.settings.labels
    old, new = first.text.split("\n"), second.text.split("\n")
    if (first.exit, len(old)) != (second.exit, len(new)):
        ends = f"{first.exit}, {len(old)} lines; {second.exit}, {len(new)} lines"
        return f"two runs of it end or print differently: {ends}"
    for number, (a, b) in enumerate(zip(old, new), start=1):
        if compare(a, b, labels).changed:
            return (
                f"two runs of it print different things on line {number}: {a.strip()!r}, then {b.strip()!r}; "
                "declare what its label means (bound, measured, volatile), or make it steady"
            )
    return None


def _ended(snippet: Snippet, result: Result) -> tuple[str, str | None]:
    """How a run ended, for the front matter; and what is wrong with that, or None."""
    if result.stopped:
        return "", result.stopped
    if result.exit < 0:
        try:
            name = signal.Signals(-result.exit).name
        except ValueError:
            name = f"signal {-result.exit}"
        return "", f"it was killed by {name}"
    wanted = snippet.settings.raises
    printed = result.said or result.text
    last = next((line.strip() for line in reversed(printed.split("\n")) if line.strip()), "")
    said = f": {last}" if last and result.exit else ""
    if wanted is None:
        return str(result.exit), f"it ended with {result.exit}{said}" if result.exit else None
    if result.exit == 1 and result.raised == wanted:
        return f"1 ({wanted})", None
    return str(result.exit), f"it should end with {wanted}, but ended with {result.exit}{said}"


def _refused(snippet: Snippet, runner: str, text: str, exit: str) -> str | None:
    """Why an output must not be published, or None."""
    wanted = f"1 ({snippet.settings.raises})" if snippet.settings.raises else "0"
    if exit != wanted:
        return f"it ended with {exit}; the snippet declares {wanted}"
    broken = problems(text, snippet.settings.labels)
    if broken:
        return broken[0]
    if runner == "replay":
        return _unreadable(text)
    if runner == "compiler" and snippet.shows_facts:
        return _rejections(snippet, text)
    if not RUNNERS[runner].times:
        return _timing(snippet, text)
    return None


def _rejections(snippet: Snippet, text: str) -> str | None:
    """What the compilers rejected and should not have, or the other way round; None if as declared."""
    rejected: dict[str, str] = {}
    for launch in launches(text):
        for target, message in launch.rejections.items():
            rejected.setdefault(launch.kernel, f"{launch.title} is rejected for {target}:\n{message.rstrip()}")
    for kernel, said in rejected.items():
        if kernel not in snippet.settings.rejects:
            return f'{said}\n(where that is the lesson, the snippet declares rejects = ["{kernel}"])'
    for kernel in snippet.settings.rejects:
        if kernel not in rejected:
            return f"it declares that {kernel} is rejected, but every compiler takes it"
    return None


def _unreadable(text: str) -> str | None:
    """Why there is nothing to replay, in words; None where there is."""
    try:
        recording.parse(text)
    except recording.RecordingError as error:
        return str(error)
    return None


def _timing(snippet: Snippet, text: str) -> str | None:
    """The first line of a CPU run that gives a time or a speed, in words; None where none does."""
    for number, line in enumerate(text.split("\n"), start=1):
        label = label_of(line, snippet.settings.labels)
        if label is not None and label.kind == "measured" or _TIMING.search(line):
            return (
                f"line {number} gives a timing, {line.strip()!r}, but no GPU ran it: "
                "the interpreter's speed says nothing about Triton's"
            )
    return None
