"""Order programs so that a run ends soon, and split them between machines.

What a program will cost is estimated from its committed captures, not from a clock: every machine
comes to the same answer, so the shards of a CI matrix are disjoint and together complete.
"""

from collections.abc import Sequence

from executed.capture import CaptureError, read
from executed.facts import launches
from executed.snippet import Snippet

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


def longest_first(snippets: Sequence[Snippet]) -> list[Snippet]:
    """Order snippets so that no long one starts when the others are done."""
    return sorted(snippets, key=lambda snippet: (-cost(snippet), snippet.name))


def shard(snippets: Sequence[Snippet], index: int, count: int) -> list[Snippet]:
    """Share number ``index`` (from 1) of ``count``, each about equal in cost."""
    shares: list[list[Snippet]] = [[] for _ in range(count)]
    totals = [0.0] * count
    for snippet in longest_first(snippets):
        least = totals.index(min(totals))
        shares[least].append(snippet)
        totals[least] += cost(snippet)
    return shares[index - 1]
