"""Order programs so that a run ends soon, and split them between machines.

The order goes by how long each program took here the last time. The shards of a CI matrix must be
disjoint and together complete, so they go by an estimate from the committed captures instead: every
machine comes to the same answer.
"""

import json
from collections.abc import Iterable, Sequence
from pathlib import Path

from executed.capture import CaptureError, read, write
from executed.facts import launches
from executed.result import Result
from executed.run import Program
from executed.snippet import Snippet

_SECONDS = ".cache/executed/seconds.json"

# Seconds, as seen on two cores: a fork that runs a program, and four compilers on one launch.
_RUN = 0.3
_COMPILE = 0.35


def cost(snippet: Snippet) -> float:
    """What running a snippet under every runner of a machine without a GPU takes, in rough seconds."""
    total = _RUN * sum(runner != "gpu" for runner in snippet.settings.runners)
    if "compiler" in snippet.settings.runners:
        try:
            recorded = read(snippet.capture_path("compiler"))
        except CaptureError:
            recorded = None
        total += _COMPILE * len(launches(recorded.text)) if recorded else _COMPILE
    return total


def longest_first(root: Path, programs: Iterable[Program]) -> list[Program]:
    """Order programs so that no long one starts when the others are done."""
    seconds = _remembered(root)

    def key(program: Program) -> tuple[float, str]:
        name = str(program.snippet)
        return -seconds.get(f"{name} {program.runner.name}", cost(program.snippet)), name

    return sorted(programs, key=key)


def remember(root: Path, results: Iterable[Result]) -> None:
    """Keep how long each program took, for the next run on this machine."""
    took = {f"{result.snippet} {result.runner}": round(result.seconds, 3) for result in results}
    if took:
        write(root / _SECONDS, json.dumps(_remembered(root) | took, indent=0, sort_keys=True))


def _remembered(root: Path) -> dict[str, float]:
    try:
        return json.loads((root / _SECONDS).read_text("utf-8"))
    except (OSError, ValueError):
        return {}


def shard(snippets: Sequence[Snippet], index: int, count: int) -> list[Snippet]:
    """Share number ``index`` (from 1) of ``count``, each about equal in cost."""
    shares: list[list[Snippet]] = [[] for _ in range(count)]
    totals = [0.0] * count
    for snippet in sorted(snippets, key=lambda snippet: (-cost(snippet), snippet.name)):
        least = totals.index(min(totals))
        shares[least].append(snippet)
        totals[least] += cost(snippet)
    return shares[index - 1]
