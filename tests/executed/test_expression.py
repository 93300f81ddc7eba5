"""Arithmetic over captured values gives what Python gives; everything else is refused by name."""

import math
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from executed.expression import ExpressionError, Led, Reference, parse


def computed(source: str, **values):
    return parse(source).evaluate(lambda reference: values[reference.label])


NUMBERS = st.one_of(
    st.integers(-(10**9), 10**9).map(str), st.floats(-1e9, 1e9, allow_nan=False).map(lambda x: f"({x!r})")
)


def _joined(children):
    binary = st.tuples(children, st.sampled_from([" + ", "-", " * ", "/"]), children).map("".join)
    power = st.tuples(children, st.integers(-3, 3)).map(lambda p: f"{p[0]} ** ({p[1]})")
    called = st.tuples(st.sampled_from(["abs", "sqrt", "exp", "log2", "erf"]), children)
    return st.one_of(
        binary.map(lambda text: f"({text})"),
        power.map(lambda text: f"({text})"),
        called.map(lambda pair: f"{pair[0]}({pair[1]})"),
        children.map(lambda text: f"-{text}"),
    )


PYTHON = {
    "abs": abs,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "log2": math.log2,
    "erf": math.erf,
    "pi": math.pi,
    "__builtins__": {},
}
ARITHMETIC = st.recursive(st.one_of(NUMBERS, st.just("pi")), _joined, max_leaves=8)


@given(ARITHMETIC)
def test_arithmetic_is_pythons(source):
    try:
        wanted = eval(source, PYTHON)  # noqa: S307: what the engine itself must never call
    except (ArithmeticError, ValueError):
        with pytest.raises(ExpressionError):
            computed(source)
        return
    assume(not isinstance(wanted, complex))
    try:
        assert computed(source) == wanted
    except ExpressionError as error:
        assert "bits" in str(error)  # An integer too long to be worth computing.


@given(st.lists(st.integers(-5, 5), min_size=2, max_size=4), st.data())
def test_comparisons_and_chains_are_pythons(numbers, data):
    signs = st.sampled_from(["<", "<=", ">", ">=", "==", "!="])
    source = str(numbers[0])
    for number in numbers[1:]:
        source += f" {data.draw(signs)} {number}"
    other = f"{data.draw(signs)} 0"
    for whole in (source, f"{source} and 1 {other}", f"{source} or -1 {other}"):
        assert computed(whole) is eval(whole)


def test_integers_stay_exact():
    assert computed("[a] - [b]", a=2**60 + 1, b=2**60) == 1
    assert computed("[a] == [b]", a=2**60 + 1, b=2**60) is False
    assert computed("2**64 - 1") == 2**64 - 1


@pytest.mark.parametrize("snippet", [None, "ch01/a"])
@pytest.mark.parametrize("runner", [None, "interpreter", "compiler", "gpu", "mojo"])
@pytest.mark.parametrize("section", [None, "one", "a, b / c (2)", "x|y", "-8 to 8"])
@pytest.mark.parametrize("label", ["x", "eps*|x|", "copy GB/s", "x = 1, n = 8", "it's", '"q"', "a == 'b'"])
def test_a_reference_names_what_is_needed(snippet, runner, section, label):
    pieces = [piece for piece in (snippet, runner, section, label) if piece is not None]
    found = parse(f"2 * [{' | '.join(pieces)}] < [ other ]").references
    assert found == (Reference(label, section, runner, snippet), Reference("other"))


@pytest.mark.parametrize(
    "text", ["[ ]", "[ | a]", "[a | ]", "[a | b | c | d | e]", "[gpu | a | b | c]", "[]"]
)
def test_a_malformed_reference_is_refused(text):
    with pytest.raises(ExpressionError):
        parse(f"{text} > 1")


@pytest.mark.parametrize("label", ["_0", "_1", "__0", "BLOCK_0"])
def test_a_label_may_look_like_anything(label):
    assert computed(f"[x] - [{label}] * 10", **{"x": 1, label: 2}) == -19


def test_the_same_value_may_stand_twice():
    assert computed("[a] / [b] + [a]", a=6, b=2) == 9


def test_strings_are_compared_whole_and_may_hold_brackets():
    assert computed("[a] == '[0, 2]'", a="[0, 2]") is True
    assert computed("""[a] == "it's [b]" """, a="it's [b]") is True
    assert parse("[a] == '[0, 2]'").references == (Reference("a"),)
    assert computed("[a] != 'True' and [a] < [b]", a="False", b="G") is True


def test_a_text_that_begins_with_a_number_calculates_with_it_but_equals_only_as_a_whole():
    wide, narrow = Led("4 x 128 bit", 4), Led("4 x 32 bit", 4)
    assert computed("[a] == [b]", a=wide, b=narrow) is False
    assert computed("[a] == 4 and [a] / [b] == 1 and [a] <= [b]", a=wide, b=narrow) is True
    assert computed("[a]", a=wide) == 4
    assert computed("[a] > [b]", a=Led("10 ms", 10), b=Led("9 ms", 9)) is True


def test_two_captured_values_may_be_a_text_and_a_number():
    assert computed("[a] != [b]", a="[1, 2]", b=3) is True
    assert computed("[a] == [b]", a="[1, 2]", b=3) is False


def test_constants_are_the_numbers_that_it_states():
    assert sorted(parse("1.5 < [x 7] / 2 and [y] != '3 of'").constants) == [1.5, 2]


REFUSED = [
    "__import__('os').system('id')", "().__class__", "[a].real", "1 .real", "'a'.upper()", "[a][0]",
    "'abc'[0]",
    "lambda: 1", "(x := 1)", "(x for x in 'a')", "{x: 1 for x in 'a'}", "{1}", "{}", "(1, 2)",
    "f'{1}'", "f'{[a]}'", "b'a' == b'a'", "1j", "True", "None", "...", "not 1", "~1", "1 if 1 else 2",
    "1 // 2",
    "1 % 2", "1 @ 2", "1 << 9", "1 | 2", "1 in [a]", "1 is 1", "abs", "abs()", "abs(1, 2)", "abs(x=1)",
    "abs(*[a])", "eval('1')", "open('x')", "pow(2, 3)", "max(1, 2)", "pi(1)", "sqrt(sqrt)", "x", "_0",
    "_0 + [a]",
    "print", "await x", "yield", "*[a]", "1; 2", "x = 1", "", "   ", "#", "1 +", "[a", "a]", "1\n+ 1", "'\0'",
    "\0", "and", "1 and 2", "[a] and [b] == 3", "[a] == '5'", "[a] == ' 1e-7'", "9" * 5000,
]  # fmt: skip


@pytest.mark.parametrize("source", REFUSED)
def test_everything_else_is_refused_by_name(source):
    with pytest.raises(ExpressionError) as error:
        computed(source, a=1, b=3)
    assert repr(source)[1:150].rstrip("'") in str(error.value)


@pytest.mark.parametrize(
    "source",
    [
        "'a' * 10**9", "10**9 * 'a'", "'a' + 'b'", "-'a'", "abs('a')", "[text] * 1000000000", "[text] + 1",
        "'a' < 1", "[text] < 1", "[text] == 1", "[text] != 1", "[a] != 'True'", "'a' ** 2", "2 ** 'a'",
        "(1 < 2) + 1", "9**9**9", "10**64**64", "((10**64)**64)**64", "2**10000", "2**-10000", "2**1e9",
        "[big]**60",
        "(-8)**0.5", "0**-1", "1 / 0", "1 / (2 - 2)", "sqrt(-1)", "log2(0)", "exp(1000)", "1e300**2",
    ],
)  # fmt: skip
def test_what_cannot_be_computed_says_so_at_once(source):
    began = time.monotonic()
    with pytest.raises(ExpressionError) as error:
        computed(source, a=1, text="abc", big=10**4000)
    assert time.monotonic() - began < 1
    assert source in str(error.value)


@pytest.mark.parametrize(
    "source", ["(" * 5000 + "1" + ")" * 5000, "-" * 50_000 + "1", "1" + "+1" * 50_000, "abs(" * 90 + "1"]
)
def test_deep_nesting_is_an_error_like_any_other(source):
    with pytest.raises(ExpressionError) as error:
        computed(source)
    assert source[:100] in str(error.value)
    assert len(str(error.value)) < 500


@given(st.text(st.sampled_from("[]()'\"|_ab1.,+-*/<>=! \\\n"), max_size=30))
def test_any_text_gives_a_result_or_the_one_error(source):
    try:
        result = parse(source).evaluate(lambda reference: 1.0)
    except ExpressionError:
        return
    assert isinstance(result, (int, float, str, bool))
