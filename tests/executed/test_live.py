"""The live preview runs what a save makes stale, and says what is under way or failed."""

import threading
import time
from pathlib import Path

import pytest

from executed import notes, runners
from executed.capture import read
from executed.live import Live

PINS = "".join(f"{package}=={runners.installed(package)}\n" for package in runners.PACKAGES)
SETTINGS = '# /// capture\n# runners = ["interpreter"]\n# ///\n'
PATIENCE = 60.0


class Preview:
    """A small book under a live preview."""

    def __init__(self, root: Path):
        self.root = root
        self.builds = threading.Semaphore(0)
        self.live = Live(root, self.builds.release)

    def save(self, name: str, code: str) -> None:
        (self.root / "snippets" / "ch01" / f"{name}.py").write_text(SETTINGS + code, "utf-8")

    def printed(self, name: str) -> str | None:
        capture = read(self.root / "snippets" / "ch01" / f"{name}.interpreter.txt")
        return capture and capture.text

    def until(self, condition) -> None:
        deadline = time.monotonic() + PATIENCE
        while not condition():
            assert time.monotonic() < deadline
            time.sleep(0.01)


@pytest.fixture(scope="module")
def preview(tmp_path_factory):
    root = tmp_path_factory.mktemp("book")
    (root / "requirements.txt").write_text(PINS)
    (root / "docs").mkdir()
    (root / "snippets" / "ch01").mkdir(parents=True)
    preview = Preview(root)
    preview.save("base", "N = 1\n")
    preview.save("user", "from ch01.base import N\n\nprint(N)\n")
    with preview.live:
        preview.until(lambda: preview.printed("user") == "1\n")
        yield preview


def test_a_save_is_run_and_shown(preview):
    before = preview.builds._value
    preview.save("user", "from ch01.base import N\n\nprint(N + 1)\n")
    preview.until(lambda: preview.printed("user") == "2\n")
    preview.until(lambda: preview.builds._value > before)
    preview.until(lambda: not notes.said)


def test_a_save_of_what_others_import_runs_those(preview):
    preview.save("base", "N = 5\n")
    preview.until(lambda: preview.printed("user") == "6\n")


def test_a_failure_is_noted_keeps_the_capture_and_stops_nothing(preview):
    kept = preview.printed("user")
    preview.save("user", "raise ValueError('the reason')\n")
    preview.until(lambda: "the reason" in notes.said.get(("ch01/user", "interpreter"), ""))
    assert preview.printed("user") == kept
    preview.save("user", "x = = 1\n")
    preview.save("user", "print('mended')\n")
    preview.until(lambda: preview.printed("user") == "mended\n")
    preview.until(lambda: not notes.said)


def test_a_new_snippet_is_run(preview):
    preview.save("new", "print('new')\n")
    preview.until(lambda: preview.printed("new") == "new\n")


def test_its_own_captures_do_not_start_it_again(preview):
    preview.until(lambda: not notes.said)
    time.sleep(0.5)
    while preview.builds.acquire(blocking=False):
        pass
    time.sleep(1.0)
    assert not preview.builds.acquire(blocking=False)
