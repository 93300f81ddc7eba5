"""Killed at any moment, out of disk, or twice at once: every capture stays whole."""

import os
import random
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

from executed import cli, runners
from executed.capture import read

ENGINE = Path(__file__).resolve().parents[1] / "scripts"
ENVIRONMENT = os.environ | {"PYTHONPATH": str(ENGINE)}
PINS = "".join(f"{package}=={runners.installed(package)}\n" for package in runners.PACKAGES)
KILLS = int(os.environ.get("KILLS", "30"))

WRITER = """
import sys
from pathlib import Path
from executed.capture import Capture, format_capture, write
path = Path(sys.argv[1])
for number in range(10**9):
    text = f"{number}\\n" * 20000
    write(path, format_capture(Capture("ch01/a", "interpreter", "CPU", "python 3.11", "0", "sha256:0", text)))
    print(number, flush=True)
"""
BUILD = (
    "import sys; from pathlib import Path; from executed import cli;"
    "sys.exit(cli.main(['--runner', 'interpreter', '--force'], Path(sys.argv[1])))"
)


@pytest.fixture
def book(tmp_path) -> Path:
    (tmp_path / "requirements.txt").write_text(PINS)
    (tmp_path / "docs").mkdir()
    folder = tmp_path / "snippets" / "ch01"
    folder.mkdir(parents=True)
    for number in range(12):
        (folder / f"s{number}.py").write_text(
            '# /// capture\n# runners = ["interpreter"]\n# ///\n' f"for i in range(2000):\n    print({number}, i)\n"
        )
    return tmp_path


def build(book: Path) -> subprocess.Popen:
    return subprocess.Popen(
        [sys.executable, "-c", BUILD, book], env=ENVIRONMENT,
        stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
    )


def captures(book: Path) -> dict[str, str]:
    """The text of every capture, each checked to be whole."""
    found = {}
    for path in book.glob("snippets/*/*.txt"):
        if not path.name.startswith("."):
            capture = read(path)
            assert not capture.edited, path
            found[path.name] = capture.text
    return found


def test_a_write_that_is_killed_leaves_the_old_capture_or_the_new(tmp_path):
    path, draw = tmp_path / "a.interpreter.txt", random.Random(0)
    for _ in range(KILLS):
        writer = subprocess.Popen(
            [sys.executable, "-c", WRITER, path], env=ENVIRONMENT, stdout=subprocess.PIPE, text=True
        )
        writer.stdout.readline()
        time.sleep(draw.random() * 0.02)
        writer.kill()
        writer.wait()
        writer.stdout.close()
        capture = read(path)
        assert not capture.edited
        lines = capture.text.split("\n")[:-1]
        assert len(lines) == 20000 and len(set(lines)) == 1


def test_an_engine_that_is_killed_loses_nothing_and_the_next_run_mends_the_rest(book):
    draw = random.Random(1)
    assert build(book).wait() == cli.FRESH
    whole = captures(book)
    for path in book.glob("snippets/*/*.py"):
        path.write_text(path.read_text().replace("2000", "2001"))
    for _ in range(6):
        engine = build(book)
        time.sleep(draw.random() * 5)
        engine.send_signal(draw.choice([signal.SIGKILL, signal.SIGTERM, signal.SIGINT]))
        engine.wait()
        assert set(captures(book)) == set(whole)
    assert build(book).wait() == cli.FRESH
    assert all(text.count("\n") == 2001 for text in captures(book).values())


def test_two_engines_at_once_both_end_well(book):
    first, second = build(book), build(book)
    assert (first.wait(), second.wait()) == (cli.FRESH, cli.FRESH), first.stdout.read() + second.stdout.read()
    assert len(captures(book)) == 12


def test_a_full_disk_is_said_and_keeps_what_was_there(book):
    assert build(book).wait() == cli.FRESH
    whole = captures(book)
    for path in book.glob("snippets/*/*.py"):
        path.write_text(path.read_text().replace("2000", "2001"))
    # What a file may hold stands in for what a disk may: the same call fails, with another number.
    limited = textwrap.dedent("""
        import resource, signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        from executed import capture
        real = capture.write
        def write(path, content):
            resource.setrlimit(resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
            try:
                return real(path, content)
            finally:
                resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        capture.write = write
    """)
    done = subprocess.run(
        [sys.executable, "-c", limited + BUILD, book], env=ENVIRONMENT, capture_output=True, text=True
    )
    assert done.returncode == cli.STALE
    assert "scripts/build: cannot write: [Errno 27] File too large" in done.stderr
    assert captures(book) == whole
    assert not list(book.glob("snippets/*/.*"))
    assert build(book).wait() == cli.FRESH


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_console_of_another_encoding_stops_nothing(book, encoding):
    (book / "snippets" / "ch01" / "é.py").write_text("print('漢')\n", "utf-8")
    (book / "docs" / "page.md").write_text('{{ outputs("ch01/é") }} „“\n', "utf-8")
    code = "import runpy, sys; from executed import cli; from pathlib import Path;" \
           "cli.main.__defaults__ = (None, Path(sys.argv.pop(1))); runpy.run_module('executed', run_name='__main__')"
    done = subprocess.run(
        [sys.executable, "-c", code, book, "--check", "--no-run"], capture_output=True,
        env=ENVIRONMENT | {"PYTHONIOENCODING": encoding, "LC_ALL": "C"},
    )
    assert done.returncode == cli.STALE and b"Traceback" not in done.stderr
    assert b"is missing: it was never captured" in done.stdout
