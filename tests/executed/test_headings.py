"""A page's headings have the addresses that Markdown gives them, and each line stands under one."""

import re

import markdown
from hypothesis import given
from hypothesis import strategies as st

from executed.headings import section_at, sections

TITLE = st.text(st.sampled_from("ab1 .:,-é'’?–×"), min_size=1, max_size=12).map(lambda text: f"`a_b` x{text}".strip())


@given(st.lists(st.tuples(st.integers(1, 4), TITLE), max_size=6))
def test_addresses_are_those_of_markdown(headings):
    text = "\n\n".join(f"{'#' * level} {title}" for level, title in headings)
    html = markdown.markdown(text, extensions=["toc"])
    assert [section.anchor for section in sections(text)] == re.findall(r'<h\d id="([^"]*)"', html)


def test_addresses_of_the_book_are_those_of_markdown(root):
    for page in (root / "docs").glob("*.md"):
        text = page.read_text("utf-8")
        html = markdown.markdown(text.partition("\n---\n")[2] or text, extensions=["toc", "attr_list", "fenced_code"])
        assert [section.anchor for section in sections(text)] == re.findall(r'<h\d id="([^"]*)"', html), page


def test_a_section_has_a_title_without_markup_and_its_text_without_code():
    text = "above\n# `a` and *b*\none\n\n```python\n# no heading\n```\ntwo\n## C d {#own .class}\nthree"
    first, second = sections(text)
    assert (first.title, first.anchor, first.level, first.line) == ("a and b", "a-and-b", 1, 2)
    assert first.prose == "one\n\ntwo"
    assert (second.title, second.anchor, second.level, second.prose) == ("C d", "own", 2, "three")


def test_a_line_stands_under_the_heading_above_it():
    found = sections("\n# A\n\n## B\n")
    assert [section_at(found, line) and section_at(found, line).title for line in (1, 2, 3, 4, 9)] == [None, "A", "A", "B", "B"]
