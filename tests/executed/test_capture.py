"""A capture holds what a terminal would have shown, comes back as it was, and shows an edit."""

import os
import threading
import time
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from executed.capture import Capture, CaptureError, as_shown, format_capture, parse_capture, read, write

PATH = Path("ch01/a.gpu.txt")
CAPTURE = Capture(
    "ch01/a", "gpu", "NVIDIA H200, sm_90", "python 3.11, torch 2.13.0", "0", "sha256:00", "x: 1\n"
)

# What UTF-8 can hold. A carriage return never reaches a capture: ``as_shown`` carries it out.
TEXT = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]))
RAW = st.one_of(
    st.binary(),
    st.lists(
        st.sampled_from(
            [b"a", b"\r", b"\n", b"\x1b[31m", b"\x1b[K", b"\x1b]0;t\x07", b"\x1b", b"\xff", b"---\n"]
        )
    ).map(b"".join),
)
HOSTILE = [
    "",
    "\n",
    "---\n",
    "---\n---\n",
    "snippet: x\n",
    "\ufeff",
    "\u2028",
    "no line end",
    "\0",
    "{{ outputs() }}",
    "<b>",
]


@given(TEXT)
@pytest.mark.parametrize("seed", HOSTILE)
def test_any_text_comes_back_and_counts_as_unedited(seed, text):
    capture = replace(CAPTURE, text=seed + text)
    back = parse_capture(format_capture(capture), PATH)
    assert replace(back, body="") == capture
    assert not back.edited


@given(RAW)
def test_what_any_program_prints_comes_back_from_its_file(tmp_path_factory, raw):
    path = tmp_path_factory.mktemp("captures") / "a.gpu.txt"
    capture = replace(CAPTURE, text=as_shown(raw, {}))
    write(path, format_capture(capture))
    back = read(path)
    assert back.text == capture.text
    assert not back.edited


@given(TEXT, TEXT)
@example("x: 1\n", "x: 1")
@example("x: 1\n", "x: 1 \n")
@example("", "\n")
def test_any_edit_of_the_body_shows(text, edited):
    content = format_capture(replace(CAPTURE, text=text))
    head = content.removesuffix(text)
    assert parse_capture(head + edited, PATH).edited is (edited != text)


def test_a_checkout_with_crlf_is_the_same_capture(tmp_path):
    path = tmp_path / "a.gpu.txt"
    content = format_capture(CAPTURE)
    path.write_bytes(content.replace("\n", "\r\n").encode())
    assert read(path) == parse_capture(content, path)
    assert not read(path).edited


HEAD = format_capture(CAPTURE)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("", "gpu.txt:1: not a capture"),
        ("x: 1\n", "gpu.txt:1: not a capture"),
        ("\n" + HEAD, "gpu.txt:1: not a capture"),
        ("---\nsnippet: ch01/a\n", "never closed"),
        ("---\n---\n", "front matter"),
        (HEAD.replace("exit: 0\n", ""), "no line 'exit'"),
        (HEAD.replace("exit: 0\n", "exit: 0\nexit: 1\n"), "gpu.txt:7: .*'exit: 1'"),
        (HEAD.replace("exit: 0", "exit 0"), "gpu.txt:6: .*'exit 0'"),
        (HEAD.replace("exit:", "Exit:"), "gpu.txt:6: "),
        (HEAD.replace("exit:", "date: today\nexit:"), "gpu.txt:6: .*'date: today'"),
        ("<<<<<<< HEAD\n" + HEAD, "gpu.txt:1: not a capture"),
    ],
)
def test_what_is_no_capture_is_an_error_with_file_and_line(content, said):
    with pytest.raises(CaptureError, match=said):
        parse_capture(content, PATH)


def test_a_capture_that_is_not_there_is_none_and_not_an_error(tmp_path):
    assert read(tmp_path / "a.gpu.txt") is None


def test_a_capture_that_is_not_utf8_is_an_error(tmp_path):
    path = tmp_path / "a.gpu.txt"
    path.write_bytes(format_capture(CAPTURE).encode() + b"\xff")
    with pytest.raises(CaptureError, match="gpu.txt: not UTF-8"):
        read(path)


@pytest.mark.parametrize(
    ("package", "version"), [("python", "3.11"), ("torch", "2.13.0"), ("tor", None), ("numpy", None)]
)
def test_the_version_of_a_package(package, version):
    assert CAPTURE.version_of(package) == version


def test_writing_the_same_again_leaves_the_file_alone(tmp_path):
    path = tmp_path / "deep" / "a.gpu.txt"
    assert write(path, "one\n") is True
    before = path.stat()
    assert write(path, "one\n") is False
    assert path.stat().st_mtime_ns == before.st_mtime_ns
    assert path.stat().st_ino == before.st_ino
    assert write(path, "two\n") is True
    assert path.read_bytes() == b"two\n"


def test_writing_that_fails_leaves_the_old_file_and_no_other(tmp_path, monkeypatch):
    path = tmp_path / "a.gpu.txt"
    write(path, "one\n")

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        write(path, "two\n")
    assert [p.name for p in tmp_path.iterdir()] == ["a.gpu.txt"]
    assert path.read_text() == "one\n"


def test_a_reader_sees_one_whole_file_or_the_other(tmp_path):
    path = tmp_path / "a.gpu.txt"
    contents = [format_capture(replace(CAPTURE, text=char * 200_000)) for char in "ab"]
    write(path, contents[0])
    done = threading.Event()

    def keep_writing():
        for turn in range(40):
            write(path, contents[turn % 2])
        done.set()

    writer = threading.Thread(target=keep_writing)
    writer.start()
    while not done.is_set():
        assert not read(path).edited
    writer.join()


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        (b"", ""),
        (b"a\tb\n", "a\tb\n"),
        ("é 漢 😀\n".encode(), "é 漢 😀\n"),
        (b"\x1b[1;31mred\x1b[0m\n", "red\n"),
        (b"\x1b[38;5;196mred\x1b[m\n", "red\n"),
        (b"\x1b(B\x1b[mplain\n", "plain\n"),
        (b"\x1b7saved\x1b8\x1b=\n", "saved\n"),
        (b"\x1b]0;title\x07text\n", "text\n"),
        (b"\x1b]8;;https://x.y\x1b\\link\x1b]8;;\x1b\\\n", "link\n"),
        (b"\x1bPdevice\x1b\\text\n", "text\n"),
        (b"10%\r50%\r100%\n", "100%\n"),
        (b"100%\rdone\n", "done\n"),
        (b"100 %\rok\n", "ok0 %\n"),
        (b"a\r\nb\r\n", "a\nb\n"),
        (b"a\r\r\nb\n", "a\nb\n"),
        (b"long text\r\x1b[Kshort\n", "short\n"),
        (b"long text\x1b[2K\rshort\n", "short\n"),
        (b"long text\r\x1b[31mred\x1b[0m\n", "redg text\n"),
        (b"abc\x1b[1K\rx\n", "x  \n"),
        (b"ab\x1b[Kcd\x1b[Ke\n", "abcde\n"),
        (b"\xff\xfe\n", "\\xff\\xfe\n"),
        (b"caf\xe9\n", "caf\\xe9\n"),
        (b"\xed\xa0\x80\n", "\\xed\\xa0\\x80\n"),
        (b"a\0b\n", "a\\x00b\n"),
        (b"bell\x07 back\x08\n", "bell\\x07 back\\x08\n"),
        ("a\u2028b\u2029c\x85d\n".encode(), "a\\u2028b\\u2029c\\x85d\n"),
        ("\u202eevil\u200b\ufeff\n".encode(), "\\u202eevil\\u200b\\ufeff\n"),
        (b"\x1b", "\\x1b"),
        (b"\x0c\x0b\x1c\n", "\\x0c\\x0b\\x1c\n"),
        (b"<b>&amp;</b> `{{ x }}` --8<-- $x$\n", "<b>&amp;</b> `{{ x }}` --8<-- $x$\n"),
        (b"\x1b]0;a title that\nnever ends\n", "0;a title that\nnever ends\n"),
    ],
)
def test_what_a_terminal_would_have_shown(raw, shown):
    assert as_shown(raw, {}) == shown


FOLDERS = {"/tmp/x-1/run/": "", "/tmp/x-1/run": ".", "/tmp/x-1": "/tmp", "/srv/é «q» 'r'": "."}


@pytest.mark.parametrize(
    ("printed", "shown"),
    [
        ('File "/tmp/x-1/run/a.py", line 1', 'File "a.py", line 1'),
        ("/tmp/x-1/run", "."),
        ("/tmp/x-1/run.", ".."),
        ("/tmp/x-1/tmp/y and /tmp/x-1/run/z", "/tmp/tmp/y and z"),
        ("-I/tmp/x-1/include", "-I/tmp/include"),
        ("/tmp/x-12/run", "/tmp/x-12/run"),
        ("/tmp/x-1.bak", "/tmp/x-1.bak"),
        ("/tmp/x-1/running", "/tmp/running"),
        ("/srv/é «q» 'r'/a.py", "./a.py"),
        ("\x1b[35m/tmp/x-1\x1b[0m/run/a.py", "a.py"),
        ("loading\r/tmp/x-1/run/a.py", "a.py"),
    ],
)
def test_folders_of_this_machine_are_never_shown(printed, shown):
    assert as_shown(f"{printed}\n".encode(), FOLDERS) == f"{shown}\n"


def test_what_a_folder_is_shown_as_is_not_looked_up_again():
    assert as_shown(b"/a/b\n", {"/a": "/tmp", "/tmp": "?", "/a/b": "/a"}) == "/a\n"


@given(RAW)
def test_what_is_shown_is_printable_text_in_lines(raw):
    shown = as_shown(raw, {"/tmp": "."})
    assert all(char in "\n\t" or char.isprintable() for char in shown)
    assert shown.count("\n") == raw.decode(errors="replace").count("\n")


@given(RAW)
def test_what_is_shown_is_shown_the_same_again(raw):
    shown = as_shown(raw, {})
    assert as_shown(shown.encode(), {}) == shown


@given(st.text(st.characters(categories=["L", "N", "P", "S"], include_characters=" \t\n")))
def test_plain_text_is_shown_as_it_is(text):
    assert as_shown(text.encode(), {}) == text


@pytest.mark.parametrize(
    "raw",
    [
        pytest.param(b"a" * 500_000 + b"\rb" * 200_000, id="overwriting"),
        pytest.param(b"\x1b]a" * 300_000, id="titles that never end"),
        pytest.param(b"\x1b[" * 300_000, id="sequences that never end"),
        pytest.param(b"\r" * 10**6, id="carriage returns"),
    ],
)
def test_a_flood_is_shown_in_time(raw):
    start = time.process_time()
    as_shown(raw, {"/tmp": "."})
    assert time.process_time() - start < 5
