"""``scripts/build``: bring captures and the site up to date, or check that they are."""

import argparse
import importlib.util
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from fnmatch import fnmatchcase
from pathlib import Path

from executed import capture, explain, judge, lint, publish, report, run, runners, schedule, site
from executed.assemble import assemble
from executed.discover import Repository, discover
from executed.judge import State, Verdict
from executed.result import Result
from executed.snippet import Snippet, SnippetError

ROOT = Path(__file__).resolve().parents[2]
FRESH, STALE, USAGE = 0, 1, 2


def main(arguments: Sequence[str] | None = None, root: Path = ROOT) -> int:
    """Run the command line. Returns the exit code: 0 fresh, 1 stale or failed, 2 usage."""
    options = _parser().parse_args(arguments)
    for option in ("no_run", "shard"):
        if getattr(options, option) and not options.check:
            print(f"scripts/build: --{option.replace('_', '-')} goes with --check", file=sys.stderr)
            return USAGE
    if options.serve:
        from executed import live  # It imports MkDocs.

        live.serve(root)
        return FRESH
    repository = discover(root)
    names = [options.explain] if options.explain else options.names
    chosen, unknown = _choose(repository, names)
    if unknown:
        print(f"scripts/build: no snippet is called {unknown}", file=sys.stderr)
        return USAGE
    if options.shard:
        chosen = schedule.shard(chosen, *options.shard)
    writes = not options.check and not options.explain
    try:
        verdicts = _verdicts(repository, chosen, options, writes)
    except run.RunError as error:
        print(f"scripts/build: {error}", file=sys.stderr)
        return STALE
    except OSError as error:
        print(f"scripts/build: cannot write: {error}; captures are whole, run it again", file=sys.stderr)
        return STALE
    if options.explain:
        pages = lint.pages(repository)
        for snippet in chosen:
            print(explain.explain(repository, snippet, [v for v in verdicts if v.snippet == snippet.name], pages))
        return FRESH if all(verdict.fresh for verdict in verdicts) else STALE
    if writes:
        verdicts = [_settled(verdict) for verdict in verdicts]
    return _finish(repository, verdicts, options)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="scripts/build",
        description="Run the snippets whose captures are stale, write the captures, build the site.",
        epilog="Exit codes: 0 all is fresh, 1 something is stale or failed, 2 wrong usage.",
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="snippets, as chapter/name or a pattern of it")
    parser.add_argument("--check", action="store_true", help="write nothing; run, compare, and exit 1 on a difference")
    parser.add_argument("--no-run", action="store_true", help="with --check: go by digests alone")
    parser.add_argument("--runner", choices=runners.RUNNERS, help="use this runner alone, and leave the site as it is")
    parser.add_argument("--force", action="store_true", help="run also what is fresh")
    parser.add_argument("--explain", metavar="NAME", help="say what changed since a capture, and what depends on it")
    parser.add_argument("--shard", type=_share, metavar="I/N", help="with --check: only share I of N of the snippets")
    parser.add_argument("--serve", action="store_true", help="serve the book, and run what a save makes stale")
    parser.add_argument("--github", action="store_true", help="annotate for GitHub what a check finds")
    return parser


def _share(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d+)/(\d+)", text)
    if match is None or not 1 <= int(match[1]) <= int(match[2]):
        raise argparse.ArgumentTypeError(f"{text!r} is not I/N with 1 <= I <= N")
    return int(match[1]), int(match[2])


def _choose(repository: Repository, names: Sequence[str]) -> tuple[list[Snippet], str | None]:
    if not names:
        return list(repository.snippets.values()), None
    chosen: dict[str, Snippet] = {}
    for name in names:
        pattern = f"{name.rstrip('/')}/*" if (repository.folder / name).is_dir() else name
        matched = {n: s for n, s in repository.snippets.items() if fnmatchcase(n, pattern)}
        if not matched:
            return [], name
        chosen |= matched
    return list(chosen.values()), None


def _verdicts(
    repository: Repository, chosen: list[Snippet], options: argparse.Namespace, writes: bool
) -> list[Verdict]:
    """Judge every capture of the chosen snippets, running what the options and this machine allow."""
    pins = runners.pins(repository.root)
    verdicts: dict[tuple[str, str], Verdict] = {}
    programs: list[run.Program] = []
    for name in [options.runner] if options.runner else runners.RUNNERS:
        runner = runners.RUNNERS[name]
        wanted = [snippet for snippet in chosen if name in snippet.settings.runners]
        seen = {snippet: judge.look(repository, snippet, name, pins) for snippet in wanted}
        verdicts |= {(snippet.name, name): verdict for snippet, verdict in seen.items()}
        due = [] if options.no_run else [s for s in wanted if options.force or not writes or not seen[s].fresh]
        if due and _can_run(runner, len(due), pins, options):
            for snippet in due:
                try:
                    program = run.Program(snippet, assemble(repository, snippet), runner)
                except SnippetError as error:
                    verdicts[snippet.name, name] = Verdict(snippet.name, name, State.FAILED, str(error))
                    continue
                # What is to be recorded must print the same again, or be declared.
                twice = writes and not seen[snippet].fresh and not runner.on_request
                programs += [program] * (2 if twice else 1)
    with run.parents({program.runner.name: program.runner for program in programs}.values()) as kept:
        if programs and writes and not options.runner and _has_mkdocs():
            site.warm_up(repository.root)  # While torch is imported.
        for verdict in _run(repository, programs, pins, writes, kept):
            verdicts[verdict.snippet, verdict.runner] = verdict
    return list(verdicts.values())


def _can_run(runner: runners.Runner, count: int, pins: dict[str, str], options: argparse.Namespace) -> bool:
    if runner.on_request and options.runner != runner.name:
        print(f"{runner.name}: {count} snippets not run: only with --runner {runner.name}", file=sys.stderr)
        return False
    lacking = runner.lacks()
    if lacking and options.runner:
        raise run.RunError(f"runner {runner.name} cannot run here: {lacking}")
    if lacking:
        print(f"{runner.name}: {count} snippets not run: {lacking}", file=sys.stderr)
    elif runner.pinned:
        _refuse_other_versions(pins)
    return not lacking


def _run(
    repository: Repository, programs: list[run.Program], pins: dict[str, str], writes: bool, kept: dict
) -> Iterator[Verdict]:
    """Run programs, the longest first, and yield a verdict once all runs of one have ended."""
    ordered = schedule.longest_first(repository.root, programs)
    due = Counter((program.snippet.name, program.runner.name) for program in programs)
    ended: dict[tuple[str, str], list[Result]] = {}
    for result in report.follow(run.run(ordered, kept=kept), len(programs)):
        key = (result.snippet.name, result.runner)
        ended.setdefault(key, []).append(result)
        if len(ended[key]) < due[key]:
            continue
        *earlier, last = ended[key]
        verdict = judge.weigh(repository, last, pins, *earlier)
        if writes:
            _write(repository, verdict)
        yield verdict
    if writes:
        schedule.remember(repository.root, [result for results in ended.values() for result in results])


def _refuse_other_versions(pins: dict[str, str]) -> None:
    for package, version in pins.items():
        if runners.installed(package) != version:
            raise run.RunError(
                f"{package} {runners.installed(package)} is installed, requirements.txt pins {version}; "
                "delete .venv and run scripts/build again"
            )


def _write(repository: Repository, verdict: Verdict) -> None:
    if verdict.renewed is not None:
        path = repository.snippets[verdict.snippet].capture_path(verdict.runner)
        capture.write(path, capture.format_capture(verdict.renewed))


def _settled(verdict: Verdict) -> Verdict:
    """What is left of a verdict once its renewed capture is written."""
    if verdict.renewed is None:
        return verdict
    return Verdict(verdict.snippet, verdict.runner, State.FRESH, "", verdict.renewed)


def _finish(repository: Repository, verdicts: list[Verdict], options: argparse.Namespace) -> int:
    if not options.check:
        repository = discover(repository.root)  # Captures were written since it was read.
    users = lint.users(repository)
    errors = list(repository.errors) if options.runner else lint.check(repository)
    for error in errors:
        shown = _relative(error, repository.root)
        print(shown)
        if options.github:
            file, line, message = re.match(r"(?:([^:]+):)?(?:(\d+):)? ?(.*)", shown, re.DOTALL).groups()
            print(report.annotation(file or "mkdocs.yml", int(line or 1), message))
    bad = [verdict for verdict in verdicts if not verdict.fresh]
    for verdict in bad:
        pages = users.get(verdict.snippet, [])
        print(report.tell(verdict, pages, repository.root))
        if options.github:
            snippet = repository.snippets[verdict.snippet]
            print(*report.annotations(verdict, snippet, pages, repository.root), sep="\n")
    code = STALE if errors or bad else FRESH
    if not options.check and not options.runner:
        publish.shared[repository.root] = repository, errors
        code = max(code, _site(repository.root, strict=code == FRESH))
    counted = f"{len(verdicts)} captures, {len(bad)} not fresh, {len(errors)} errors"
    print(f"scripts/build: {counted}")
    return code


def _site(root: Path, *, strict: bool) -> int:
    if not _has_mkdocs():
        print("site: not built: mkdocs is not installed", file=sys.stderr)
        return STALE
    code = site.build(root, strict=strict)
    print("site: unchanged" if code is None else f"site: {'built' if code == 0 else 'failed'}: site/index.html")
    return FRESH if not code else STALE


def _has_mkdocs() -> bool:
    return importlib.util.find_spec("mkdocs") is not None


def _relative(message: str, root: Path) -> str:
    return message.replace(f"{root}/", "")
