"""The site gets chapters, programs and notebooks from the repository, and no number without a source."""

import json

import pytest

from executed import publish
from executed.publish import notebooks, open_book, programs

PART = (
    '# /// capture\n# runners = ["interpreter"]\n# ///\n# --8<-- [start:a]\nprint("n: 1")\n# --8<-- [end:a]\n'
)
WHOLE = '"""# Title"""\n# /// capture\n# runners = ["interpreter"]\n# bundle = ["a"]\n# ///\n'
FILES = {
    "requirements.txt": "torch==2.13.0\nmkdocs==1.6.1\n",
    "docs/contents.md": "# C\n\n## Chapter 1: One & two {#chapter-1}\n\n## Chapter 12: Twelve\n\n## Other\n",
    "docs/01-one.md": '# 1. One\n\n## 1.1 A\n\n--8<-- "ch01/a.py:a"\n\n{{ program("ch01/whole") }}\n',
    "snippets/ch01/a.py": PART,
    "snippets/ch01/whole.py": WHOLE,
}


@pytest.fixture
def book(repo, put):
    repository = repo(FILES)
    put(repository, "ch01/a", text="n: 1\n")
    put(repository, "ch01/whole", text="n: 1\n")
    return open_book(repository.root)


def test_chapters_are_those_that_the_contents_list(book):
    assert book.chapters == ((1, "One & two", "01-one.md"), (12, "Twelve", None))
    assert book.pins["torch"] == "2.13.0"
    assert book.problems == ()


def test_what_the_lint_finds_is_a_problem_of_the_book(book):
    page = book.repository.docs / "01-one.md"
    page.write_text(page.read_text() + "\nIt takes 0.00041 s.\n")
    (problem,) = open_book(book.repository.root).problems
    assert problem.startswith(f"{page}:9: '0.00041 s' has no source")


def test_a_chapter_that_makes_no_notebook_is_a_problem_of_the_book(book, put):
    put(book.repository, "ch01/whole", text="n: 2\n")
    (problem,) = open_book(book.repository.root).problems
    assert "ch01/a prints something else in this program than alone" in problem


def test_every_snippet_has_a_program_to_download(book):
    found = dict(programs(book))
    assert sorted(found) == ["programs/ch01/a.py", "programs/ch01/ch01.py"]
    for text in found.values():
        compile(text, "x", "exec")
        assert "--8<--" not in text and "/// capture" not in text


def test_a_program_that_cannot_be_made_is_a_problem_and_stops_nothing(repo):
    repository = repo(FILES | {"snippets/ch01/b.py": "import ch01.a\n" + PART})
    book = open_book(repository.root)
    assert any("b.py:1: import names from a snippet plainly" in problem for problem in book.problems)
    assert "programs/ch01/a.py" in dict(programs(book))
    assert "programs/ch01/b.py" not in dict(programs(book))


def test_a_chapter_has_a_notebook_once_it_is_captured(book, repo):
    ((path, page, text),) = notebooks(book)
    assert (path, page) == ("notebooks/ch01.ipynb", "notebooks/ch01.md")
    cells = json.loads(text)["cells"]
    assert any("n: 1" in str(cell.get("outputs")) for cell in cells)
    path = book.repository.snippets["ch01/a"].capture_path("interpreter")
    for content in ("no capture\n", None):
        path.write_text(content) if content else path.unlink()
        assert list(notebooks(open_book(book.repository.root))) == []


def test_what_was_read_already_is_taken_once(book):
    publish.shared[book.repository.root] = book.repository, ["x.md:1: found before"]
    taken = open_book(book.repository.root)
    assert taken.repository is book.repository and taken.problems == ("x.md:1: found before",)
    assert "x.md:1: found before" not in open_book(book.repository.root).problems


@pytest.mark.parametrize(
    ("html", "found"),
    [
        ("<p>It is 0.00041.</p>", ["0.00041"]),
        ("<p>0.<b>00041</b> and 3 ×</p>", ["0.00041", "3 ×"]),
        ('<h2>1.1 A</h2><p>in 1.1</p><span class="value">0.5</span>', []),
    ],
)
def test_a_rendered_page_states_no_number_of_its_own(book, html, found):
    said = book.unsourced("01-one.md", html)
    assert [line.split("'")[1] for line in said] == found
    assert all(line.startswith("docs/01-one.md: ") for line in said)


def test_a_page_that_the_engine_made_has_none(book):
    assert book.unsourced("notebooks/ch01.ipynb", "<p>0.00041</p>") == []
