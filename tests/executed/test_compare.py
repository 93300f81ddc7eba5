"""Rounding and declared noise keep the recorded text; whatever else moves is a change."""

import ast
import math
import time

import numpy
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from executed.compare import compare, label_of, problems, same_line
from executed.snippet import Label

BOUND = Label("diff *", "bound", limit=1e-6)
MEASURED = Label("* ms", "measured", within=0.25)
VOLATILE = Label("pid", "volatile")
LABELS = (BOUND, MEASURED, VOLATILE)

# Without zeros, infinities, and numbers too near to either to have two neighbours.
FLOAT32 = st.floats(2.0**-120, 2.0**120, width=32).map(numpy.float32)
SIGN = st.sampled_from([numpy.float32(1), numpy.float32(-1)])
TEXT = st.text(st.characters(exclude_characters="\r", exclude_categories=["Cs"]))


def up(number: numpy.float32, steps: int = 1) -> numpy.float32:
    for _ in range(steps):
        number = numpy.nextafter(number, numpy.float32(math.copysign(math.inf, number)))
    return number


def agree(recorded: str, printed: str, labels=()) -> bool:
    """Whether a re-run that printed ``printed`` leaves the capture of ``recorded`` as it is."""
    comparison = compare(recorded, printed, labels)
    assert comparison.changed is (comparison.text != recorded)
    return not comparison.changed


@given(TEXT)
@pytest.mark.parametrize(
    "seed", ["", "diff a: 1e-7\n", "t ms: nan\n", "[1. 2.]\n", "\n\n", "0.10 1e400 -0.0 inf"]
)
def test_every_text_agrees_with_itself(seed, text):
    assert agree(seed + text, seed + text, LABELS)


@given(TEXT, TEXT)
def test_the_merged_text_agrees_with_what_was_printed(recorded, printed):
    merged = compare(recorded, printed, LABELS).text
    assert agree(merged, printed, LABELS)


@given(st.text("ab \n"), st.text("ab \n"))
def test_without_numbers_and_labels_any_difference_is_a_change(recorded, printed):
    assert agree(recorded, printed) is (recorded == printed)


PRINTED = {
    "numpy scalar": repr,
    "numpy text": str,
    "tolist() as double": lambda x: repr(float(x)),
    "list": lambda x: repr([1, float(x), "text"]),
    "tuple": lambda x: repr((float(x),)),
    "dict": lambda x: repr({"a": float(x), "b": [float(x)]}),
    "nested": lambda x: repr({"a": [(float(x), None), {"b": (float(x),)}]}),
    "tensor": lambda x: f"tensor([[0.5, {str(x)}], [{str(x)}, 2.]], device='cuda:0')",
    "labelled": lambda x: f"max abs diff: {x}",
    "with a unit": lambda x: f"{x}ms, {x} GB/s",
    "nine digits": lambda x: f"{float(x):.8e}",
}
# Padded with blanks. Where NumPy writes exponents it pads with zeros: another count of digits.
PADDED = {
    "array": lambda x: str(numpy.array([x], dtype=numpy.float32)),
    "its repr": lambda x: repr(numpy.array([0.5, x, -2], dtype=numpy.float32)),
    "among others": lambda x: str(numpy.array([1, 2.5, 1, x], dtype=numpy.float32)),
    "rows": lambda x: str(numpy.array([[x, 0.5], [2 * x, 2.5], [1, -x]], dtype=numpy.float32)),
    "rows of rows": lambda x: str(numpy.array([[[1, 0.5], [2, 2.5]], [[1, 1], [1, x]]], dtype=numpy.float32)),
}


@pytest.mark.parametrize("shown", PRINTED.values(), ids=PRINTED.keys())
@given(FLOAT32, SIGN)
def test_one_step_of_float32_is_rounding_in_whatever_it_is_nested(shown, number, sign):
    number *= sign
    assert agree(shown(number), shown(up(number)))
    assert agree(shown(up(number)), shown(number))


@pytest.mark.parametrize("shown", PADDED.values(), ids=PADDED.keys())
@given(st.floats(0.25, 64, width=32).map(numpy.float32))
@example(numpy.float32(0.5))
@example(numpy.float32(0.3))
def test_one_step_of_float32_is_rounding_however_numpy_pads_it(shown, number):
    assert agree(shown(number), shown(up(number)))
    assert agree(shown(up(number)), shown(number))


@given(FLOAT32, SIGN)
def test_two_steps_are_not(number, sign):
    number *= sign
    two = up(number, 2)
    assert not agree(repr(float(number)), repr(float(two)))
    assert not agree(repr(number), repr(two))


@given(st.floats(1e-30, 1e30), st.integers(1, 5), st.data())
def test_a_changed_digit_of_a_rounded_number_is_a_change(number, digits, data):
    printed = f"{number:.{digits}e}"
    place = data.draw(st.sampled_from([0, *range(2, 2 + digits)]))
    other = data.draw(st.sampled_from("123456789").filter(lambda digit: digit != printed[place]))
    assert not agree(printed, printed[:place] + other + printed[place + 1 :])


@given(st.integers(), st.integers())
def test_integers_are_exact(one, other):
    assert agree(f"n = {one}", f"n = {other}") is (one == other)


@pytest.mark.parametrize(
    ("recorded", "printed"),
    [
        ("0.10", "0.1"),
        ("0.1", "0.10"),
        ("0.10", "0.10000001"),
        ("1.", "1.0"),
        ("1.0", "1"),
        ("1", "1.0"),
        ("1e-05", "0.00001"),
        ("1e-05", "1e-5"),
        ("1.50e-05", "1.5e-05"),
        ("+1.5", "1.5"),
        ("-0.0", "0.0"),
        ("0.0", "-0.0"),
        ("0.000", "-0.000"),
        ("1.5", "-1.5"),
        ("3.0", "np.float64(3.0)"),
        ("np.float32(3.0)", "np.float64(3.0)"),
        ("[3.0]", "(3.0)"),
        ("[3.0]", "[3.0, 3.0]"),
        ("nan", "inf"),
        ("nan", "1.0"),
        ("-inf", "inf"),
        ("1.0e39", "1.1e39"),
        ("1", "1.0000001"),
        ("1.0000001", "1"),
        ("1.00e-50", "2.00e-50"),
        ("0.00e+00", "1.00e-46"),
        ("007", "7"),
        ("16777216", "16777217"),
        ("0x7f00", "0x7f01"),
        ("v2.13.0", "v2.14.0"),
        ("2.13.0", "2.13.1"),
        ("1+2j", "1-2j"),
        ("True", "False"),
        ("a", "A"),
        ("a", "a "),
        ("a b", "a  b"),
        ("1.5 ms", "1.5  ms"),
        ("[1. 2.]", "[1.  2.]"),
        ("", "\n"),
        ("a\n", "a"),
        ("a\nb\n", "b\na\n"),
    ],
)
def test_another_form_is_a_change(recorded, printed):
    assert not agree(recorded, printed)


@pytest.mark.parametrize(
    ("recorded", "printed"),
    [
        ("9.999999747378752e-06", "1.0000000656873453e-05"),
        ("0.30000000000000004", "0.3000000000000001"),
        ("1.0", "1.0000001"),
        ("[1.0000001 0.5      ]", "[1.  0.5]"),
        ("[[1.         0.5       ]\n [0.10000001 2.        ]]", "[[1.  0.5]\n [0.1 2. ]]"),
        ("[ 1.         -0.5        0.10000001]", "[ 1.  -0.5  0.1]"),
    ],
)
def test_rounding_that_changes_how_long_a_number_is(recorded, printed):
    assert agree(recorded, printed)
    assert agree(printed, recorded)


def test_padding_counts_where_no_number_near_it_moved():
    assert not agree("[1.   2.]\ntext\n[0.1]\n", "[1. 2.]\ntext\n[0.10000001]\n")


def test_what_moved_beside_rounding_is_taken_and_the_rest_stays():
    recorded = "a 0.1\nb 1\nc 0.30000004\n"
    printed = "a 0.10000001\nb 2\nc 0.3\n"
    assert compare(recorded, printed).text == "a 0.1\nb 2\nc 0.30000004\n"


@pytest.mark.parametrize(
    ("recorded", "printed"),
    [
        ("diff a: 1e-07", "diff a: 0"),
        ("diff a: 2.4e-07", "diff a: -9.9999e-07"),
        ("  diff 16: 2.4e-07", "  diff 16: 0.0000001"),
        ("copy ms: 1.00", "copy ms: 1.25"),
        ("copy ms: 1", "copy ms: 0.75"),
        ("copy ms:  9.9", "copy ms: 10.1"),
        ("BLOCK=64, 2 warps, ms: 8", "BLOCK=64, 2 warps, ms: 9"),
        ("pid: 17", "pid: 18"),
        ("pid: at 0x7f00", "pid: none"),
        ("pid:", "pid: 1"),
    ],
)
def test_declared_noise_keeps_the_recorded_text(recorded, printed):
    assert compare(f"x\n{recorded}\ny 1\n", f"x\n{printed}\ny 2\n", LABELS).text == f"x\n{recorded}\ny 2\n"


@pytest.mark.parametrize(
    ("recorded", "printed"),
    [
        ("diff a: 1e-07", "diff a: 2e-06"),
        ("diff a: 1e-03", "diff a: 1e-07"),
        ("diff a: -1e-03", "diff a: 1e-07"),
        ("diff a: 1e-07", "diff a: -1e-03"),
        ("diff a: 1e-07", "diff a: nan"),
        ("diff a: 1e-07", "diff a: 1e-07 s"),
        ("diff a: 1e-07", "diff b: 1e-07"),
        ("diff 0: 1e-07", "diff 1: 1e-07"),
        ("diff 1e-08: 0", "diff 1e-09: 0"),
        ("copy ms: 1.00", "copy ms: 1.26"),
        ("copy ms: 1.00", "copy ms: 0.74"),
        ("copy ms: 1.00", "copy ms: 1.00 s"),
        ("copy ms: 0.0", "copy ms: 0.1"),
        ("copy ms: inf", "copy ms: 1.0"),
        ("copy ms: 1.0", "copy ms: nan"),
        ("8 ms: 1.0", "9 ms: 1.0"),
        ("pid: 17", "pod: 17"),
        ("pid: 17", "  pid: 17"),
        ("pid 17", "pid 18"),
        ("the pid: 17", "the pid: 18"),
        ("pid:17", "pid:18"),
    ],
)
def test_what_is_not_declared_is_a_change(recorded, printed):
    assert not agree(recorded, printed, LABELS)


def test_the_first_label_that_covers_a_line_counts():
    labels = (Label("diff a", "exact"), BOUND, VOLATILE)
    assert label_of("diff a: 1", labels) is labels[0]
    assert label_of("  diff b: 1", labels) is BOUND
    assert label_of("diff b:", labels) is BOUND
    assert [label_of(line, labels) for line in ("diff b 1", "{pid: 1}", "x[pid: 1]", "Diff b: 1", "")] == [
        None
    ] * 5
    assert not agree("diff a: 1e-07", "diff a: 2e-07", labels)


NOISY = "pid: 1\ncopy ms: 1.0\ndiff a: 1e-07\nx 1\n"
OTHER = "pid: 2 b\ncopy ms: 1.1\ndiff a: 2e-07\nx 1\n"


@pytest.mark.parametrize(
    ("recorded", "printed", "merged"),
    [
        pytest.param(NOISY, f"new\n{OTHER}", f"new\n{NOISY}", id="inserted above"),
        pytest.param(NOISY, f"{OTHER}new\n", f"{NOISY}new\n", id="inserted below"),
        pytest.param(f"old\n{NOISY}", OTHER, NOISY, id="removed above"),
        pytest.param(f"{NOISY}old\n", OTHER, NOISY, id="removed below"),
        pytest.param(
            f"{NOISY}a\n{NOISY}", f"{OTHER}b\nc\n{OTHER}", f"{NOISY}b\nc\n{NOISY}", id="changed between"
        ),
        pytest.param(
            NOISY,
            OTHER.replace("copy ms: 1.1", "new\ncopy ms: 1.1"),
            NOISY.replace("copy ms: 1.0", "new\ncopy ms: 1.0"),
            id="inserted between",
        ),
    ],
)
def test_noise_stays_around_lines_that_came_or_went(recorded, printed, merged):
    assert compare(recorded, printed, LABELS).text == merged


@pytest.mark.parametrize(
    "line",
    [
        "diff a: 1e-05",
        "diff a: -1e-05",
        "diff a: inf",
        "diff a: nan",
        "diff a: NaN",
        "diff a: Infinity",
        "diff a: none",
        "diff a:",
        "diff a: 0 1e-05",
    ],
)
def test_a_bound_that_does_not_hold_is_a_problem_even_where_nothing_changed(line):
    text = f"x\n{line}\n"
    comparison = compare(text, text, LABELS)
    assert not comparison.changed
    assert len(comparison.problems) == 1
    assert comparison.problems[0].startswith("line 2: ")
    assert "1e-06" in comparison.problems[0]


def test_a_bound_counts_grouped_digits_as_one_number():
    labels = (Label("count", "bound", limit=10),)
    assert problems("count: 1,000\n", labels)
    assert problems("count: 1_000\n", labels)
    assert not problems("count: 1, 2\n", labels)


@pytest.mark.parametrize(
    "line", ["diff a: 1e-06", "diff a: -1e-06", "diff 7: 0", "diff a", "copy ms: 1e9", "pid: inf"]
)
def test_a_bound_that_holds_is_none(line):
    assert problems(f"{line}\n", LABELS) == []


@given(st.floats(0, 1e-6), st.floats(0, 1e-6))
def test_whatever_is_within_its_bound_agrees(one, other):
    assert agree(f"diff a: {one!r}", f"diff a: {other!r}", LABELS)


@given(st.floats(1e-3, 1e3), st.floats(-0.24, 0.24))
def test_whatever_is_in_the_envelope_agrees(number, off):
    assert agree(f"copy ms: {number!r}", f"copy ms: {number * (1 + off)!r}", LABELS)
    assert not agree(f"copy ms: {number!r}", f"copy ms: {number * (1.5 + off)!r}", LABELS)


NESTED = st.recursive(
    FLOAT32.map(float) | st.integers() | st.text("abc ", max_size=3) | st.none() | st.booleans(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.tuples(inner, inner)
        | st.dictionaries(st.text("ab"), inner, max_size=2)
    ),
    max_leaves=8,
)


def moved(value):
    """The same value, each float one step of float32 away."""
    if isinstance(value, float):
        return float(up(numpy.float32(value)))
    if isinstance(value, dict):
        return {key: moved(inner) for key, inner in value.items()}
    if isinstance(value, (list, tuple)):
        return type(value)(map(moved, value))
    return value


@given(NESTED)
def test_any_nesting_of_rounded_floats_agrees(value):
    printed = repr(moved(value))
    assert agree(repr(value), printed)
    assert ast.literal_eval(printed) == moved(value)


@pytest.mark.parametrize(
    ("recorded", "printed"),
    [
        pytest.param("1\n" * 100_000, "2\n" * 100_000, id="numbers"),
        pytest.param("a\n" * 50_000, "b\n" * 50_001, id="lines"),
        pytest.param("x\n" + "a\nb\n" * 3000 + "y", "z\n" + "b\na\na\n" * 3000 + "w", id="mixed lines"),
        pytest.param(" " * 10**6, " " * 10**6 + "x", id="blanks"),
        pytest.param("a " * 10**6, "a " * 10**6 + "x", id="words"),
        pytest.param("1" * 10**6, "1." * 10**6, id="digits"),
    ],
)
def test_a_flood_is_compared_in_time(recorded, printed):
    start = time.process_time()
    assert not agree(recorded, printed, LABELS)
    assert time.process_time() - start < 10


def test_one_line_is_compared_as_it_is_in_a_text():
    assert same_line("x 0.1", "x 0.10000001")
    assert not same_line("x 0.1", "y 0.1")
