"""Every message that a program fails with on purpose has an entry, whose heading is the words that stay."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executed.gallery import complaints, covers
from executed.headings import sections

ENTRY = """## numel exceeds maximum {{#err-numel}}

**Cause.** c **Mend.** m, [shown](02.md#a).
{}"""
REJECTED = """== k(BLOCK=4) ==
launch: n i32
sm_80: rejected
    CompilationError: at 1:2:
    def k(n):
      ^
    numel (7) exceeds triton maximum tensor numel (4)
sm_90: rejected, as for sm_80
"""


def heading(title: str):
    return sections(f"## {title}")[0]


@pytest.mark.parametrize(
    "title, message, covered",
    [
        ("numel exceeds maximum", "ValueError('numel (7) exceeds triton maximum (4)')", True),
        ("numel exceeds maximum", "maximum exceeds numel", False),
        ("x must be", "x must not be", True),
        ("must be", "muster bees", False),
        ("Keyword argument was …", "'Keyword argument BLOKC was specified'", True),
        ("CompilationError: at LINE:COLUMN", "CompilationError: at 1:2", False),
    ],
)
def test_a_heading_covers_the_messages_that_have_its_words_in_order(title, message, covered):
    assert covers(heading(title), message) is covered


@given(st.lists(st.from_regex(r"[a-z]{3,6}", fullmatch=True), min_size=1), st.data())
def test_whatever_stands_between_the_words_a_message_is_covered(words, data):
    noise = st.text(st.sampled_from("0 1.,'\"()[]:-"))
    message = "".join(f" {data.draw(noise)} {word} " for word in words)
    assert covers(heading(" ".join(words)), message)


def complain(repository, text: str = ENTRY.format("")) -> list[str]:
    return list(complaints("docs/errors.md", text, repository))


@pytest.fixture
def book(repo, put):
    repository = repo(
        {
            "snippets/ch01/a.py": '# /// capture\n# rejects = ["k"]\n# ///\n',
            "snippets/ch01/b.py": '# /// capture\n# raises = "KeyError"\n# runners = ["gpu"]\n# ///\n',
            "snippets/ch01/c.py": "",
            "snippets/ch01/m.mojo": '# /// capture\n# raises = "mojo"\n# runners = ["mojo"]\n# ///\n',
            "snippets/ch01/whole.py": '# /// capture\n# bundle = ["a"]\n# ///\n',
        }
    )
    put(repository, "ch01/a", "compiler", text=REJECTED)
    put(repository, "ch01/b", "gpu", text="Traceback\n  numel\nKeyError: numel 7 exceeds its maximum\n\n")
    put(repository, "ch01/c", "compiler", text=REJECTED.replace("numel", "number"))
    put(repository, "ch01/m", "mojo", text="error: no\n")
    put(repository, "ch01/whole", "compiler", text=REJECTED.replace("numel", "number"))
    return repository


def test_a_gallery_that_covers_every_declared_message_has_no_complaint(book):
    assert complain(book) == []


def test_a_rejection_without_an_entry_is_named_by_exception_and_last_line(book, put):
    put(book, "ch01/a", "compiler", text=REJECTED.replace("maximum", "largest"))
    path = book.snippets["ch01/a"].path
    assert complain(book) == [
        f"{path}: no entry of docs/errors.md covers its message 'CompilationError: numel (7) exceeds triton largest "
        "tensor numel (4)'; add one, with the words that are always in it as heading"
    ]


def test_a_declared_exception_without_an_entry_is_named_by_its_last_line(book, put):
    put(book, "ch01/b", "gpu", text="numel exceeds maximum\nKeyError: 'x'\n")
    (said,) = complain(book)
    assert """covers its message "KeyError: 'x'";""" in said


def test_a_capture_that_is_not_there_or_damaged_is_for_others_to_name(book):
    book.snippets["ch01/a"].capture_path("compiler").write_text("no capture")
    book.snippets["ch01/b"].capture_path("gpu").unlink()
    assert complain(book) == []


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("#err-numel", "#numel", "the heading of an entry ends in its address, {#err-…}"),
        ("**Cause.**", "Cause:", "'numel exceeds maximum' has no **Cause.**"),
        ("**Mend.**", "", "'numel exceeds maximum' has no **Mend.**"),
        ("02.md#a", "02.md", "'numel exceeds maximum' links no section that shows it"),
    ],
)
def test_an_entry_has_an_address_a_cause_a_mend_and_a_link(book, old, new, said):
    assert complain(book, ENTRY.format("").replace(old, new)) == [f"docs/errors.md:1: {said}"]
