"""Programs that try to fool the engine, to stop it, or to be lost: ``tests/hostile/``.

``python tests/test_hostile.py`` prints the table of what each does, what should come of it, and what
did.
"""

import ast
import os
import re
import signal
import sys
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts"))

from executed import run, runners  # noqa: E402
from executed.capture import Capture, format_capture, parse_capture  # noqa: E402
from executed.snippet import Settings, Snippet  # noqa: E402

TIMEOUT = 3.0
RUNNER = runners.RUNNERS["interpreter"]
CORPUS = {path.stem: path.read_text("utf-8") for path in sorted((ROOT / "tests" / "hostile").glob("*.py"))}


def declared(text: str, key: str) -> str | None:
    """What the head of a hostile program declares."""
    match = re.search(rf"^# {key}: (.+)$", text, re.MULTILINE)
    return match[1] if match else None


def outcome(result: run.Result) -> str:
    """The one name of how a run ended."""
    if result.stopped:
        return result.stopped
    if result.exit < 0:
        return f"killed by {signal.Signals(-result.exit).name}"
    return f"raised {result.raised}" if result.raised else f"exit {result.exit}"


def run_all() -> dict[str, run.Result]:
    programs = [
        run.Program(Snippet(f"ch00/{name}", Path(f"{name}.py"), text, Settings(timeout=float(declared(text, "timeout") or TIMEOUT))), text, RUNNER)
        for name, text in CORPUS.items()
    ]
    return {result.snippet.stem: result for result in run.run(programs)}


@pytest.fixture(scope="module")
def results() -> dict[str, run.Result]:
    return run_all()


def test_the_corpus_is_large_and_every_program_has_a_result(results):
    assert len(CORPUS) >= 40 and set(results) == set(CORPUS)


@pytest.mark.parametrize("name", CORPUS)
def test_it_has_the_outcome_that_it_declares(name, results):
    assert outcome(results[name]) == declared(CORPUS[name], "outcome"), results[name].text[-2000:]


@pytest.mark.parametrize("name", CORPUS)
def test_what_it_prints_is_shown_and_nothing_of_this_machine(name, results):
    text = results[name].text
    wanted, part = declared(CORPUS[name], "text"), declared(CORPUS[name], "contains")
    if wanted is not None:
        assert text == ast.literal_eval(wanted)
    if part is not None:
        assert ast.literal_eval(part) in text
    for trace in (str(ROOT), str(Path.home()), os.uname().nodename, sys.prefix, "executed-"):
        if len(trace) > 3 and name != "prints_engine_markers":
            assert trace not in text


@pytest.mark.parametrize("name", CORPUS)
def test_its_capture_holds_whatever_it_printed(name, results):
    text = results[name].text
    capture = Capture(f"ch00/{name}", "interpreter", "CPU", "python 3.11", "0", "sha256:0", text)
    read = parse_capture(format_capture(capture), Path(f"{name}.txt"))
    assert read.text == text and not read.edited


def test_nothing_is_left_running(results):
    deadline = time.monotonic() + 5
    while time.monotonic() < deadline:
        left = [
            folder.name for folder in Path("/proc").glob("[0-9]*")
            if (folder / "cmdline").exists() and b"sleep\x00600" in _quietly(folder / "cmdline")
        ]
        if not left:
            return
        time.sleep(0.1)
    raise AssertionError(f"still running: {left}")


def _quietly(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError:
        return b""


if __name__ == "__main__":
    found = run_all()
    for name in CORPUS:
        expected, got = declared(CORPUS[name], "outcome"), outcome(found[name])
        print(f"{name:32} {expected:34} {'as declared' if expected == got else f'BUT {got}'}")
