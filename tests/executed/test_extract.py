"""A section or a value is found once, or the page says that it is not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executed.extract import ExtractError, label_line, section, titles, value

TEXT = """\
before
== first ==

a: 1
  b: 2.5e-07

== second == part ==
a: 3
"""


def test_titles_in_order():
    assert titles(TEXT) == ("first", "second == part")


@pytest.mark.parametrize(("title", "text"), [("first", "a: 1\n  b: 2.5e-07\n"), ("second == part", "a: 3\n")])
def test_a_section_is_what_stands_below_its_title(title, text):
    assert section(TEXT, title) == text


@pytest.mark.parametrize("title", ["third", "First", "", "second", "first ", ".*"])
def test_an_unknown_section_is_an_error_that_lists_the_known(title):
    with pytest.raises(ExtractError, match="0 times; sections are: 'first', 'second == part'"):
        section(TEXT, title)


def test_a_section_printed_twice_is_an_error():
    with pytest.raises(ExtractError, match="2 times"):
        section("== a ==\n1\n== a ==\n2\n", "a")


@pytest.mark.parametrize("line", ["==a==", " == a ==", "== a == ", "= a =", "== =="])
def test_what_only_looks_like_a_title_is_output(line):
    assert titles(f"{line}\n") == ()


@pytest.mark.parametrize(
    ("text", "label", "shown"),
    [
        ("a: 1\n", "a", "1"),
        ("  a:   1  \n", "a", "1"),
        ("max abs diff: 2.4e-07\nmax abs diff, tanh: 1\n", "max abs diff", "2.4e-07"),
        ("rtol=0, atol=1e-6: True\n", "rtol=0, atol=1e-6", "True"),
        ("a.c: 1\nabc: 2\n", "a.c", "1"),
        ("ratio: a: b\n", "ratio", "a: b"),
        ("shape: (2, 3)", "shape", "(2, 3)"),
    ],
)
def test_a_value_is_what_follows_its_label(text, label, shown):
    assert value(text, label) == shown


@pytest.mark.parametrize(
    ("text", "count"), [("a: 1\na: 1\n", 2), ("b: 1\n", 0), ("xa: 1\n", 0), ("a 1\n", 0)]
)
def test_a_label_that_is_not_printed_just_once_is_an_error(text, count):
    with pytest.raises(ExtractError, match=f"'a' is printed {count} times"):
        value(text, "a")


def test_a_label_with_nothing_behind_it_is_an_error():
    with pytest.raises(ExtractError, match="nothing behind"):
        value("a:  \n1\n", "a")


@pytest.mark.parametrize(
    ("printed", "spec", "shown"),
    [
        ("5.364e-07", ".0e", "5e-07"),
        ("0.12349", ".2f", "0.12"),
        ("0.2549", ".0%", "25%"),
        ("1234567", ",", "1,234,567"),
        ("12", "d", "12"),
        ("-3", "+d", "-3"),
        ("4.25 ms", ".1f", "4.2"),
        ("float32 1.5", ".2f", "1.50"),
        ("1,234.5 GB/s", ".0f", "1234"),
        ("3.5x", ".0f", "4"),
        ("inf", ".1f", "inf"),
        ("1.", ".1f", "1.0"),
        (".5", ".1f", "0.5"),
    ],
)
def test_a_format_is_for_the_first_number(printed, spec, shown):
    assert value(f"a: {printed}\n", "a", spec) == shown


@pytest.mark.parametrize("printed", ["True", "sm_90", "2.13.0", "0x1f", "1_000", "1,23", "information"])
def test_what_is_no_plain_number_is_never_cut_into_one(printed):
    with pytest.raises(ExtractError, match="no number to format"):
        value(f"a: {printed}\n", "a", ".1f")


@pytest.mark.parametrize(("printed", "spec"), [("1.5", "d"), ("1", "q"), ("1.5", "s"), ("9" * 5000, "d")])
def test_a_format_that_does_not_suit_is_an_error(printed, spec):
    with pytest.raises(ExtractError, match="does not suit"):
        value(f"a: {printed}\n", "a", spec)


@given(st.floats(allow_nan=False))
def test_any_printed_float_is_read_whole(number):
    assert value(f"a: {number!r} ms\n", "a", ".17g") == format(number, ".17g")


@given(st.text(st.characters(exclude_characters="\n:", exclude_categories=["Cs"]), min_size=1), st.integers())
def test_any_label_without_a_colon_is_found(name, number):
    label = name.lstrip()
    text = f"{name}: {number}\nother {label}: 0\n"
    if label:
        assert value(text, label) == str(number)


FIELDS = "sm_90: registers 32, spills 0 of 4, shared bytes 1,024\n"


@pytest.mark.parametrize(
    ("field", "spec", "shown"),
    [
        ("registers", None, "32"),
        ("spills", None, "0 of 4"),
        ("shared bytes", "d", "1024"),
    ],
)
def test_a_field_is_one_of_the_pairs_behind_a_label(field, spec, shown):
    assert value(FIELDS, "sm_90", spec, field) == shown


def test_a_field_that_is_a_whole_number_is_the_word_at_that_place():
    text = "warps 2: 0.63 1268 0.31\npairs: 1 9, 2 8\n"
    assert [value(text, "warps 2", None, place) for place in "123"] == ["0.63", "1268", "0.31"]
    assert value(text, "pairs", None, "2") == "8", "a name goes first"


@pytest.mark.parametrize(
    ("text", "field"),
    [(FIELDS, "register"), (FIELDS, "32"), ("sm_90: a 1, a 2\n", "a"), ("sm_90: 7 8\n", "3"), ("sm_90: 7 8\n", "0")],
)
def test_a_field_that_is_not_there_just_once_is_an_error(text, field):
    with pytest.raises(ExtractError, match=f"{field!r}"):
        value(text, "sm_90", None, field)


@pytest.mark.parametrize(
    ("text", "title", "line"),
    [
        ("x\na: 1\n", None, 2),
        ("x\n  a: 1\n", "one", 2),
        ("a: 0\n== one ==\na: 1\n== two ==\na: 2\n", None, 1),
        ("a: 0\n== one ==\na: 1\n== two ==\na: 2\n", "one", 3),
        ("a: 0\n== one ==\na: 1\n== two ==\na: 2\n", "two", 5),
        ("a: 0\n== one ==\nb: 1\n", "one", None),
        ("ab: 0\n", None, None),
    ],
)
def test_the_line_that_prints_a_label(text, title, line):
    assert label_line(text, "a", title) == line
