"""The ledger has a row for every capture and counts every page's numbers; the contents, every chapter."""

import re
from dataclasses import replace
from html.parser import HTMLParser

import pytest

from executed import tables
from executed.context import Context
from executed.directives import DirectiveError, find_calls

BOTH = '# /// capture\n# runners = ["interpreter", "gpu"]\n{}# ///\nprint()\n'
PINS = {"torch": "2.13.0"}
PAGE = """# 1. One

{{ value("ch01/a", "n") }} {{ claim("w", "[n] > 0", snippet="ch01/a") }} {{ hand("2", "1 + 1") }}
{{ cite("1e-5", "k") }} and 0.5 and 7.25 and 12 %.

```python
--8<-- "ch01/a.py"
```
"""


class Rows(HTMLParser):
    """The tables of some HTML, by class: rows of the texts of cells."""

    def __init__(self, text: str):
        super().__init__()
        self.tables: dict[str, list[list[str]]] = {}
        self.links: list[str] = []
        self.ids: list[str] = []
        self.tags: list[str] = []
        self._rows: list[list[str]] = []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.tags.append(tag)
        self.links += [given["href"]] if "href" in given else []
        self.ids += [given["id"]] if "id" in given else []
        if tag == "table":
            self._rows = self.tables.setdefault(given["class"], [])
        elif tag == "tr":
            self._rows.append([])
        elif tag in ("td", "th"):
            self._rows[-1].append("")

    def handle_data(self, data):
        self._rows[-1][-1] += data


@pytest.fixture
def book(repo, put):
    repository = repo(
        {
            "snippets/ch01/a.py": BOTH.format("") + "x = 0.5\n",
            "snippets/ch01/b.py": BOTH.format('# differs = "NaN"\n'),
            "snippets/ch01/whole.py": BOTH.format('# bundle = ["b"]\n'),
            "docs/01-one.md": PAGE,
            "docs/deep/02-two.md": '{{ program("ch01/whole") }}\n',
            "docs/bibliography.md": "### K {#k}\n",
            "docs/plain.md": "nothing\n",
        }
    )
    put(repository, "ch01/a", text="n: 1\n")
    put(repository, "ch01/a", "gpu", text="n: 1\n", device="NVIDIA <H200> & co")
    put(repository, "ch01/b", text="n: 1\n", versions="python 3.11, torch 2.12.0")
    put(repository, "ch01/b", "gpu", text="n: 2\n")
    return repository


def context(repository, **fields) -> Context:
    def address(path: str) -> str:
        return "../" + re.sub(r"\.md$", ".html", path)

    return replace(Context(repository, PINS, address), **fields)


def test_the_ledger_counts_the_numbers_of_each_page_by_source(book):
    rows = Rows(tables.numbers(context(book))).tables["numbers"]
    assert rows == [
        ["Page", "captured", "cited", "derived", "code", "unsourced"], ["chapter 1", "2", "1", "1", "1", "2"],
    ]  # fmt: skip


def test_the_ledger_has_a_row_for_every_capture(book):
    found = Rows(tables.ledger(context(book)))
    heads, *rows = found.tables["ledger"]
    assert heads == ["Snippet", "Shown on", "Runner", "Device", "Versions", "Agreement", "Digest", "State"]
    assert [(row[0], row[2]) for row in rows] == [
        (name, runner) for name, snippet in book.snippets.items() for runner in snippet.settings.runners
    ]
    by = {(row[0], row[2]): row for row in rows}
    assert by["ch01/a", "interpreter"][1:6] == [
        "chapter 1",
        "interpreter",
        "CPU",
        "python 3.11, torch 2.13.0",
        "same",
    ]
    assert by["ch01/a", "gpu"][3] == "NVIDIA <H200> & co"
    assert by["ch01/b", "gpu"][1] == "chapter 2"
    assert by["ch01/b", "gpu"][5] == "differs on purpose"
    assert by["ch01/b", "interpreter"][7] == "outdated"
    assert by["ch01/whole", "gpu"][3:] == ["", "", "one runner", "", "missing"]
    assert len(by["ch01/a", "gpu"][6]) == 12
    assert found.ids == [f"{name}-{runner}" for name, runner in by]
    assert "h200" not in found.tags


SPEED = BOTH.format(
    '# [speed."sum, 4 x 4 <fp32>"]\n# library = "torch.sum"\n# over_library = "[lib ms] / [ours ms]"\n'
    '# ceiling = "a copy"\n# of_ceiling = "[copy | ms] / [ours ms]"\n'
)


def test_each_speed_has_a_row_with_both_ratios(repo, put):
    repository = repo({"snippets/ch01/a.py": SPEED, "docs/01-one.md": '{{ value("ch01/a", "ours ms") }}\n'})
    heads, row = Rows(tables.speeds(context(repository))).tables["speeds"]
    assert heads == ["Kernel", "Shown on", "Over library", "Library", "Of ceiling", "Ceiling"]
    assert row == ["sum, 4 x 4 <fp32>", "chapter 1", "?", "torch.sum", "?", "a copy"]
    put(repository, "ch01/a", "gpu", text="lib ms: 3\nours ms: 2.0\n== copy ==\nms: 1.9\n")
    found = Rows(tables.speeds(context(repository)))
    assert found.tables["speeds"][1][2:] == ["1.50", "torch.sum", "0.95", "a copy"]
    assert found.links == ["#ch01/a-gpu", "../01-one.html"]


def test_links_lead_where_the_page_stands(book):
    found = Rows(tables.ledger(context(book)))
    programs = {f"../programs/ch01/{name}.py" for name in ("a", "b", "ch01")}
    assert set(found.links) == {"../01-one.html", "../deep/02-two.html"} | programs
    assert Rows(tables.numbers(context(book))).links == ["../01-one.html"]


def test_a_capture_that_no_snippet_has_makes_no_row(book, repo):
    book.snippets["ch01/a"].path.unlink()
    rows = Rows(tables.ledger(context(repo({})))).tables["ledger"]
    assert not any("ch01/a" in row[0] for row in rows)


def test_the_contents_name_each_chapter_and_its_state(book):
    shown = tables.chapters(context(book, chapters=((1, "One & <two>", "01-one.md"), (12, "Twelve", None))))
    found = Rows(shown)
    assert found.tables["chapters"][1:] == [["1", "One & <two>", "complete"], ["12", "Twelve", "planned"]]
    assert found.links == ["../01-one.html", "../contents.html#chapter-12"]


def test_a_program_offers_file_and_notebook(book):
    (call,) = find_calls('{{ program("ch01/whole") }}')
    found = tables.program(call, context(book))
    assert 'download href="../programs/ch01/ch01.py">ch01.py<' in found
    assert 'download href="../notebooks/ch01.ipynb">ch01.ipynb<' in found
    assert 'href="../notebooks/ch01.html">Read the notebook<' in found
    assert "<code>TRITON_INTERPRET=1 python ch01.py</code>" in found
    (call,) = find_calls('{{ program("ch01/zzz") }}')
    with pytest.raises(DirectiveError, match="no snippet 'ch01/zzz'"):
        tables.program(call, context(book))


REFERENCE = {
    "snippets/ch01/a.py": """# /// capture
# runners = ["interpreter", "gpu"]
# ///
import triton
import triton.language as tl


# --8<-- [start:k]
@triton.jit
def one(x_ptr, BLOCK: tl.constexpr):
    tl.store(x_ptr, two(tl.load(x_ptr)))


@triton.jit
def two(x):
    return x
# --8<-- [end:k]


@triton.jit
def unshown(x_ptr):
    \"\"\"A < b.\"\"\"


@gluon.jit(do_not_specialize=["x_ptr"])
def warps(x_ptr):
    \"\"\"In Gluon.\"\"\"
""",
    "snippets/ch01/user.py": '# /// capture\n# runners = ["replay"]\n# ///\nfrom ch01.a import one\n',
    "docs/01-one.md": """# 1. One

## 1.1 A & b

```python
--8<-- "ch01/a.py:k"
```

## 1.2 C

`tl.load`

```python
--8<-- "ch01/a.py:k"
```
""",
}


@pytest.fixture
def reference(repo, put):
    repository = repo(REFERENCE)
    put(repository, "ch01/a", text="")
    put(repository, "ch01/user", "replay", text="")
    return context(repository, chapters=((1, "One <1>", "01-one.md"),))


class Entries(HTMLParser):
    """Of a list of definitions: each term's id and text, and the texts and links that follow."""

    def __init__(self, text: str):
        super().__init__()
        self.heads: list[str] = []
        self.entries: list[list[str]] = []
        self.links: list[tuple[str, str | None]] = []
        self._tag = ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        if tag in ("dt", "dd", "h2"):
            self._tag = tag
            (self.heads if tag == "h2" else self.entries).append("" if tag == "h2" else [given.get("id", ""), ""])
        elif tag == "a":
            self.links.append((given["href"], given.get("title")))

    def handle_data(self, data):
        if self._tag == "h2":
            self.heads[-1] += data
        else:
            self.entries[-1][1] += data


def test_kernels_are_listed_by_chapter_with_what_is_alike_said_once(reference):
    found = Entries(tables.kernels(reference))
    assert found.heads == ["1. One <1>"]
    assert found.entries == [
        ["kernel-ch01-a-one", "one (x_ptr, BLOCK)"],
        ["kernel-ch01-a-two", "two (x) called by kernels"],
        ["", ""],
        ["", "Shown in 1.1 A & b, 1.2 C · Interpreter, Replay · a.py"],
        ["kernel-ch01-a-unshown", "unshown (x_ptr)"],
        ["", "A < b."],
        ["", "Interpreter, Replay · a.py"],
        ["kernel-ch01-a-warps", "warps (x_ptr)"],
        ["", "In Gluon."],
        ["", "Interpreter, Replay · a.py"],
    ]
    assert ("../programs/ch01/a.py", None) in found.links and ("../01-one.html#11-a-b", None) in found.links


def test_a_kernel_without_a_capture_says_so(reference):
    for path in reference.repository.folder.rglob("*.txt"):
        path.unlink()
    found = Entries(tables.kernels(context(reference.repository)))
    assert found.heads == ["ch01"] and found.entries[-1] == ["", "not captured yet · a.py"]


def test_names_are_listed_with_their_teacher_first_and_other_users_by_number(reference):
    found = Entries(tables.api(reference))
    assert found.heads == ["tl", "triton"]
    assert found.entries[:5] == [
        ["api-tl.constexpr", "tl.constexpr"], ["", "1.1 A & b"], ["", "Used in 1.2"],
        ["api-tl.load", "tl.load"], ["", "1.2 C"],
    ]  # fmt: skip
    assert found.links[1] == ("../01-one.html#12-c", "1.2 C")
    assert ("../01-one.html#11-a-b", "1.1 A & b") in found.links


def test_lists_of_the_whole_book_are_kept_from_the_search(reference):
    for text in (tables.kernels(reference), tables.api(reference)):
        assert text.startswith("<section data-search-exclude>") and text.count("<section") == 1
