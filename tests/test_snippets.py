"""Every snippet of the book runs, prints what its capture says, and needs no engine to do so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from executed import capture, judge, lint, run, runners
from executed.assemble import assemble
from executed.compare import compare
from executed.discover import discover

ROOT = Path(__file__).resolve().parent.parent
BOOK = discover(ROOT)
PINS = runners.pins(ROOT)
CAPTURES = [(name, runner) for name, snippet in BOOK.snippets.items() for runner in snippet.settings.runners]
HERE = [name for name, runner in CAPTURES if runner == "interpreter"]


@pytest.fixture(scope="module")
def forked() -> dict[str, run.Result]:
    """What every snippet prints in a fork of the warm parent, under the interpreter."""
    runner = runners.RUNNERS["interpreter"]
    programs = [run.Program(BOOK.snippets[name], assemble(BOOK, BOOK.snippets[name]), runner) for name in HERE]
    return {str(result.snippet): result for result in run.run(programs)}


def test_pages_and_snippets_hold_together():
    assert lint.check(BOOK) == []


@pytest.mark.parametrize("name", [name for name, snippet in BOOK.snippets.items() if snippet.is_python])
def test_it_runs_on_a_gpu_or_says_why_not(name):
    """A memory replay is of the interpreter by its nature; everything else needs a reason."""
    settings = BOOK.snippets[name].settings
    assert "gpu" in settings.runners or settings.no_gpu or settings.runners == ("replay",)


@pytest.mark.parametrize(("name", "runner"), CAPTURES)
def test_capture_is_fresh(name, runner):
    verdict = judge.look(BOOK, BOOK.snippets[name], runner, PINS)
    assert verdict.fresh, f"{verdict}; {verdict.advice}"


@pytest.mark.parametrize("name", HERE)
def test_a_run_prints_what_the_capture_says(name, forked):
    verdict = judge.weigh(BOOK, forked[name], PINS)
    assert verdict.fresh, f"{verdict}; {verdict.advice}\n{verdict.printed}"


# Each takes the import of torch: one of every chapter.
@pytest.mark.parametrize("name", {BOOK.snippets[name].chapter: name for name in HERE}.values())
def test_a_fork_prints_what_a_fresh_process_prints(name, forked, tmp_path):
    snippet = BOOK.snippets[name]
    runner = runners.RUNNERS["interpreter"]
    job = run.prepare(tmp_path, run.Program(snippet, assemble(BOOK, snippet), runner))
    fresh = subprocess.run(
        [sys.executable, "-u", job["program"]],
        stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        cwd=job["folder"], env=job["environment"],
    )
    printed = capture.as_shown(fresh.stdout, run.shown_as(tmp_path))
    assert fresh.returncode == forked[name].exit
    assert not compare(forked[name].text, printed, snippet.settings.labels).changed


@pytest.mark.parametrize("name", [name for name in BOOK.snippets if BOOK.snippets[name].settings.bundle])
def test_a_chapter_program_needs_only_itself(name, tmp_path):
    """As a reader runs it: one downloaded file in an empty folder, nothing of the repository near."""
    runner = runners.RUNNERS[BOOK.snippets[name].settings.runners[0]]
    if lacking := runner.lacks():
        pytest.skip(f"only the runner {runner.name} takes it, and here it is lacking {lacking}")
    program = tmp_path / "program.py"
    program.write_text(assemble(BOOK, BOOK.snippets[name]), "utf-8")
    environment = runner.environment | {"PATH": os.environ["PATH"], "HOME": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, program], cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr
    recorded = capture.read(BOOK.snippets[name].capture_path(runner.name))
    assert done.stdout.count("\n") == recorded.text.count("\n")
