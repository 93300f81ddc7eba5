"""Change one constant or operator of a snippet at a time, and see whether the check notices.

``python tests/mutate.py [--sample N] [NAME…]`` prints, for each snippet, how many mutants the check
killed, how many printed exactly the same (equivalent), and how many printed something else that
the check let pass (survived). Exit code 1 where one survived.

The check has two halves. The digest notices every mutant. The comparison is tested by itself, as if
the digest had not moved: what it lets pass there is within noise that the snippet declares, and is
counted in a column of its own.
"""

import argparse
import io
import random
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from executed import run, runners  # noqa: E402
from executed.assemble import assemble  # noqa: E402
from executed.capture import read  # noqa: E402
from executed.compare import compare  # noqa: E402
from executed.digest import source_digest  # noqa: E402
from executed.discover import Repository, discover  # noqa: E402
from executed.snippet import Snippet, SnippetError  # noqa: E402

SWAPS = {
    "+": "-", "-": "+", "*": "+", "/": "*", "//": "*", "%": "*", "**": "*", "<": "<=", "<=": "<", ">": ">=",
    ">=": ">", "==": "!=", "!=": "==", "&": "|", "|": "&", "<<": ">>", ">>": "<<", "True": "False", "False": "True",
}
OUTCOMES = ("killed", "equivalent", "within declared noise", "survived")
TIMEOUT = 20.0


@dataclass(frozen=True)
class Mutant:
    """A snippet with one token replaced."""

    snippet: Snippet
    line: int
    old: str
    new: str

    def __str__(self) -> str:
        return f"{self.snippet}:{self.line}: {self.old} -> {self.new}"


def mutants(snippet: Snippet) -> Iterator[Mutant]:
    """Every mutant of a snippet that still parses."""
    lines = snippet.text.split("\n")
    for token in tokenize.generate_tokens(io.StringIO(snippet.text).readline):
        new = _replacement(token)
        if new is None:
            continue
        row, column = token.start
        line = lines[row - 1]
        text = "\n".join([*lines[: row - 1], line[:column] + new + line[token.end[1] :], *lines[row:]])
        try:
            compile(text, snippet.file, "exec")
        except SyntaxError:
            continue
        settings = replace(snippet.settings, timeout=TIMEOUT)
        yield Mutant(replace(snippet, text=text, settings=settings), row, token.string, new)


def _replacement(token: tokenize.TokenInfo) -> str | None:
    """What a token becomes, or None where it is no constant and no operator."""
    if token.type == tokenize.NUMBER:
        if token.string[-1] in "jJ":
            return f"(1 + {token.string})"
        value = float(token.string) if any(c in token.string for c in ".eE") else int(token.string, 0)
        return repr(value * 1.5 if isinstance(value, float) and value else value + 1)
    return SWAPS.get(token.string) if token.type in (tokenize.OP, tokenize.NAME) else None


def try_out(repository: Repository, tried: list[Mutant]) -> Iterator[tuple[Mutant, str]]:
    """Run mutants under the interpreter, and say what became of each."""
    runner = runners.RUNNERS["interpreter"]
    programs, by_snippet = [], {}
    for number, mutant in enumerate(tried):
        mutated = replace(repository, snippets=repository.snippets | {mutant.snippet.name: mutant.snippet})
        try:
            text = assemble(mutated, mutant.snippet)
        except SnippetError:
            yield mutant, "killed"
            continue
        # A label of its own tells the results apart.
        own = replace(mutant.snippet, name=f"{mutant.snippet.name}_{number}")
        by_snippet[own.name] = mutant
        programs.append(run.Program(own, text, runner))
    for result in run.run(programs):
        mutant = by_snippet[result.snippet.name]
        yield mutant, outcome(repository, mutant, result)


def outcome(repository: Repository, mutant: Mutant, result: run.Result) -> str:
    """What the check makes of one mutant's run."""
    original = repository.snippets[mutant.snippet.name]
    recorded = read(original.capture_path("interpreter"))
    mutated = replace(repository, snippets=repository.snippets | {original.name: mutant.snippet})
    noticed = source_digest(mutated, mutant.snippet, "interpreter") != recorded.source
    ended = str(result.exit) if not original.settings.raises else f"{result.exit} ({original.settings.raises})"
    if result.text == recorded.text and ended == recorded.exit:
        return "equivalent"
    compared = compare(recorded.text, result.text, original.settings.labels)
    if compared.changed or compared.problems or ended != recorded.exit or result.stopped:
        return "killed"
    return "within declared noise" if noticed else "survived"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME")
    parser.add_argument("--sample", type=int, metavar="N", help="try N mutants, drawn at random")
    parser.add_argument("--seed", type=int, default=0)
    options = parser.parse_args()
    repository = discover(ROOT)
    chosen = [
        snippet for name, snippet in repository.snippets.items()
        if "interpreter" in snippet.settings.runners and not snippet.settings.bundle
        and (not options.names or name in options.names)
    ]
    tried = [mutant for snippet in chosen for mutant in mutants(snippet)]
    if options.sample is not None:
        tried = random.Random(options.seed).sample(tried, min(options.sample, len(tried)))
    counts: dict[str, Counter] = {}
    for number, (mutant, became) in enumerate(try_out(repository, tried), start=1):
        counts.setdefault(mutant.snippet.name, Counter())[became] += 1
        if became == "survived":
            print(f"survived: {mutant}")
        if number % 100 == 0:
            print(f"{number} of {len(tried)}", file=sys.stderr)
    print(f"{'snippet':44}" + "".join(f"{name:>23}" for name in OUTCOMES))
    for name in sorted(counts):
        print(f"{name:44}" + "".join(f"{counts[name][column]:>23}" for column in OUTCOMES))
    total = sum(counts.values(), Counter())
    print(f"{'all':44}" + "".join(f"{total[column]:>23}" for column in OUTCOMES))
    return 1 if total["survived"] else 0


if __name__ == "__main__":
    sys.exit(main())
