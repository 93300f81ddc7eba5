"""A message says where, what, the difference and the command; GitHub gets it at every place."""

import re
from dataclasses import replace

import pytest

from executed import lint
from executed.capture import read
from executed.judge import State, Verdict
from executed.report import annotation, annotations, difference, follow, tell
from executed.result import Result

PAGE = (
    '# x\n\n--8<-- "ch01/a.py"\n\n'
    '{{ value("ch01/a", "n") }} and {{ claim("w", "[ch01/a | n] > 1", snippet="ch01/b") }}\n'
)
OTHER = '{{ value("ch01/b", "n") }}\n'


@pytest.fixture
def book(repo, put):
    repository = repo(
        {
            "snippets/ch01/a.py": "print()\n", "snippets/ch01/b.py": "print()\n", "docs/one.md": PAGE,
            "docs/deep/two.md": "\n" + PAGE, "docs/other.md": OTHER,
        }
    )  # fmt: skip
    put(repository, "ch01/a", text="n: 1\nsame\n")
    return repository


def verdict(book, state=State.CHANGED, reason="a re-run prints something else", text=None, **fields):
    recorded = read(book.snippets["ch01/a"].capture_path("interpreter"))
    renewed = replace(recorded, text=text) if text is not None else None
    return Verdict("ch01/a", "interpreter", state, reason, recorded, fields.get("printed", text), renewed)


def test_a_change_is_told_with_pages_difference_and_command(book):
    said = tell(verdict(book, text="n: 2\nsame\n"), lint.pages(book), book.root).split("\n")
    assert said[0] == "ch01/a (interpreter) is changed: a re-run prints something else"
    assert said[1:3] == ["  shown on docs/deep/two.md", "  shown on docs/one.md"]
    assert said[3:] == [
        "  --- ch01/a.interpreter.txt (recorded)", "  +++ ch01/a.interpreter.txt (printed now)",
        "  @@ -1,2 +1,2 @@",
        "  -n: 1", "  +n: 2", "   same", "  run: scripts/build ch01/a",
    ]  # fmt: skip


def test_a_failure_is_told_with_the_end_of_what_it_printed(book):
    text = "".join(f"line {n}\n" for n in range(40)) + "KeyError: 'a'\n"
    said = tell(verdict(book, State.FAILED, "it ended with 1", printed=text), lint.pages(book), book.root)
    assert (
        "  | KeyError: 'a'\n  mend the snippet, then run: scripts/build --check --runner interpreter ch01/a"
        in said
    )
    assert said.count("  | ") == 15


def test_a_difference_is_whole_and_names_both_sides(book):
    recorded = read(book.snippets["ch01/a"].capture_path("interpreter"))
    lines = difference(recorded, replace(recorded, text="n: 1\nsame\nmore\n"))
    assert lines[-1] == "+more"
    assert difference(recorded, recorded) == []


def parsed(command: str) -> tuple[dict[str, str], str]:
    """What GitHub reads out of a workflow command."""
    match = re.fullmatch(r"::error (?P<given>[^:\n\r]*)::(?P<message>[^\n\r]*)", command)
    assert match, command

    def plain(text: str) -> str:
        for code, character in (("%3A", ":"), ("%2C", ","), ("%0D", "\r"), ("%0A", "\n"), ("%25", "%")):
            text = text.replace(code, character)
        return text

    given = dict(pair.split("=", 1) for pair in match["given"].split(","))
    return {key: plain(value) for key, value in given.items()}, plain(match["message"])


@pytest.mark.parametrize(
    "message", ["plain", "100 % and %0A", "two\nlines\r\nthree", "a::b, c=d", "%25", "é漢"]
)
def test_an_annotation_reads_back_as_it_was(message):
    assert parsed(annotation("docs/a b.md", 12, message)) == ({"file": "docs/a b.md", "line": "12"}, message)


@pytest.mark.parametrize("file", ["docs/a,b.md", "docs/a:b.md", "docs/50 %25.md"])
def test_a_file_may_have_any_name(file):
    assert parsed(annotation(file, 12, "x")) == ({"file": file, "line": "12"}, "x")


def test_an_annotation_stands_at_the_snippet_and_at_each_line_of_each_page(book):
    found = verdict(book, text="n: 2\n", reason="50 % more\nsame")
    said = [parsed(line) for line in annotations(found, book.snippets["ch01/a"], lint.pages(book), book.root)]
    assert [(given["file"], given["line"]) for given, _ in said] == [
        ("snippets/ch01/a.py", "1"), ("docs/deep/two.md", "4"), ("docs/deep/two.md", "6"),
        ("docs/one.md", "3"),
        ("docs/one.md", "5"),
    ]  # fmt: skip
    assert {message for _, message in said} == {
        "ch01/a (interpreter) is changed: 50 % more\nsame; run: scripts/build ch01/a"
    }


def test_results_pass_and_each_is_told_on_a_line(book, capsys):
    results = [
        Result(book.snippets[name], "interpreter", "CPU", "python 3.11", 0, None, 0.25, "x\n")
        for name in ("ch01/a", "ch01/b")
    ]  # fmt: skip
    assert list(follow(iter(results), 2)) == results
    assert capsys.readouterr().err == "1/2 interpreter ch01/a 0.25 s\n2/2 interpreter ch01/b 0.25 s\n"
