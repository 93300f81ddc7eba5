"""Each section's first use of a term links to its entry; the glossary itself is in order, used and short."""

import re
from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executed.glossary import LONGEST, Entry, complaints, links, read, shown
from executed.prose import link, runs

TEXT = """# Glossary

## grid {#term-grid}

All *programs* of one `launch`. And [more](05-grids.md#a).

Also: program grid, Grid of programs.

Not: grid search, hexagonal  grid.

## multiply-add {#term-fma}

One "rounding". Taught in [x](12.md).

## PTX {#term-ptx}

Assembly? No sentence less. Taught in [x](12.md).
"""
ENTRIES = read(TEXT)


def mark(page: str, entries: list[Entry], address: str) -> str:
    return link(page, links(page, runs(page), entries, address))


def marked(page: str) -> list[str]:
    """What is linked in a page that begins with a heading of the second level, as ``words → entry``."""
    html = mark(f"<h2>t</h2>{page}", ENTRIES, "g.html")
    assert re.sub(r"</?a\b[^>]*>", "", html) == re.sub(r"</?a\b[^>]*>", "", f"<h2>t</h2>{page}"), "only links are new"
    return [f"{words} → {anchor}" for anchor, words in re.findall(r'<a class="term" href="g.html#term-(\w+)" title="[^"<>]+">([^<]*)</a>', html)]


def test_an_entry_is_a_heading_a_definition_and_other_spellings():
    grid, fma, ptx = ENTRIES
    assert (grid.term, grid.anchor, grid.line) == ("grid", "term-grid", 3)
    assert grid.definition == "All programs of one launch."
    assert grid.also == ("program grid", "Grid of programs") and grid.never == ("grid search", "hexagonal  grid")
    assert grid.links == ("05-grids.md#a",)
    assert (fma.also, fma.never) == ((), ())
    assert ptx.definition == "Assembly?"


def test_a_link_shows_the_definition_without_breaking_out_of_it():
    html = mark("<h2>t</h2><p>a multiply-add</p>", ENTRIES, "../g.html")
    assert html == (
        '<h2>t</h2><p>a <a class="term" href="../g.html#term-fma" title="One &quot;rounding&quot;.">multiply-add</a></p>'
    )


@pytest.mark.parametrize(
    "page, links",
    [
        ("<p>a grid and a grid</p><p>grid</p>", ["grid → grid"]),
        ("<p>grid</p><h2>t</h2><p>grid</p><h3>t</h3><p>grid</p>", ["grid → grid", "grid → grid"]),
        ("<p>Grid</p>", ["Grid → grid"]),
        ("<p>Grids, PTXs</p>", ["Grids → grid", "PTXs → ptx"]),
        ("<p>GRID, ptx, gridded, ingrid, grid-like, sub-grid</p>", []),
        ("<p>grid's</p>", ["grid → grid"]),
        ("<p>the program\n   grid</p>", ["program\n   grid → grid"]),
        ("<p>Program grid</p>", ["Program grid → grid"]),
        ("<p>a grid search, a hexagonal\ngrid, a grid</p>", ["grid → grid"]),
        ("<p><code>grid</code> <a href='x'>grid</a> <em>grid</em></p>", ["grid → grid"]),
        ("<table><tr><td>grid</td></tr></table><details>grid</details>", []),
    ],
)
def test_the_first_use_in_a_section_is_marked(page, links):
    assert marked(page) == links


def test_nothing_is_marked_above_the_first_section():
    assert mark("<h1>t</h1><p>grid</p>", ENTRIES, "g") == "<h1>t</h1><p>grid</p>"


def test_a_page_without_a_glossary_stays_as_it_is():
    assert mark("<h2>t</h2><p>grid</p>", [], "g") == "<h2>t</h2><p>grid</p>"


@given(st.text(st.sampled_from("grid PTXs<>&;\n\"'\\")))
def test_any_text_comes_out_with_links_alone_added(text):
    page = f"<h2>t</h2><p>{escape(text)}</p>"
    assert re.sub(r'<a class="term" [^>]*>|</a>', "", mark(page, ENTRIES, "g")) == page


def test_the_page_shows_other_spellings_and_not_what_is_none():
    text = shown(TEXT)
    assert "*Also: program grid, Grid of programs.*{ .also }" in text
    assert "grid search" not in text and text.count("\n") == TEXT.count("\n")


def complain(text: str, page: str = "# P\n\ngrids, a multiply-add, PTX\n") -> list[str]:
    return list(complaints("docs/glossary.md", text, [page]))


def test_a_glossary_in_order_has_no_complaint():
    assert complain(TEXT) == []


@pytest.mark.parametrize(
    "old, new, said",
    [
        ("## grid {", "## zebra {", "docs/glossary.md:11: entries are in alphabetical order; move 'multiply-add' above 'zebra'"),
        ("{#term-ptx}", "{#ptx}", "docs/glossary.md:15: the heading of an entry ends in its address, {#term-ptx}"),
        ("## PTX {#term-ptx}", "## PTX", "docs/glossary.md:15: the heading of an entry ends in its address, {#term-ptx}"),
        (
            "All *programs* of one `launch`. And [more](05-grids.md#a).", "More [here](05-grids.md#a)",
            "docs/glossary.md:3: 'grid' has no definition; its text begins with one sentence that is",
        ),
        (
            "All *programs*", "x" * LONGEST, f"docs/glossary.md:3: the first sentence of 'grid' has {LONGEST + 15} characters; "
            f"it is shown beside the word, so make it {LONGEST} at most",
        ),
        ("05-grids.md#a", "https://x", "docs/glossary.md:3: 'grid' links no section that teaches it"),
        ("Also: program grid", "Also: PTX", "docs/glossary.md:15: 'PTX' is a spelling of 'grid' already"),
    ],
)  # fmt: skip
def test_a_fault_of_an_entry_is_named(old, new, said):
    assert complain(TEXT.replace(old, new), "# P\n\nzebra grids, PTX, a multiply-add\n") == [said]


@pytest.mark.parametrize(
    "page",
    [
        "", "# grid", "`grid`", "[grid](x)", "```python\ngrid\n```", "$grid$", "$$grid\ngrid$$", '{{ claim("grid", "1") }}',
        "| grid |", "??? note\n    grid\n\n    grid\n", "grid search", "<b title='grid'>x</b>", "!!! warning \"grid\"",
    ],
)  # fmt: skip
def test_a_term_that_no_running_text_uses_is_named(page):
    said = complain(TEXT, f"# P\n\nPTX, a multiply-add\n\n{page}\n")
    assert said == ["docs/glossary.md:3: no page uses 'grid' in its running text; use it, or delete the entry"]
