"""A call shows what was captured, or is an error that says why not; a missing capture is neither."""

import pytest

from executed.directives import DirectiveError, find_calls
from executed.resolve import check, inline

ALL = '# /// capture\n# runners = ["interpreter", "compiler", "gpu"]\n# ///\nprint()\n'
PRINTED = """\
n: 4096
mean: 0.125 ms
list: 1, 2, 3
== one ==
max abs diff: 2.384e-07
twice: 1
twice: 2
right: True
a|b: 7
x = 1, n = 8: 9
== two ==
max abs diff: 5
loads: 4 x 32 bit, stores 2 x 128 bit
big: 9007199254740993
== three ==
== three ==
"""
GPU = PRINTED.replace("4096", "1024").replace("2.384e-07", "1e-7").replace("4 x 32", "4 x 128")
FACTS = "== k(B=1) ==\nlaunch: x *fp32\nsm_90: shared 0 B, registers 18, loads 2 x 128 bit\n"


@pytest.fixture
def book(repo, put):
    repository = repo(
        {
            "snippets/ch01/a.py": ALL,
            "snippets/ch01/b.py": ALL,
            "snippets/ch01/facts_first.py": ALL.replace('"interpreter", ', ""),
            "snippets/ch01/none.py": ALL,
            "snippets/ch01/odd.py": ALL.replace('"interpreter", "compiler", "gpu"', '"tpu"'),
            "docs/bibliography.md": "# Bibliography\n\n### A paper {#a-paper}\n\n### Other { #other }\n",
        }
    )
    for name in ("ch01/a", "ch01/facts_first"):
        put(repository, name, "compiler", text=FACTS)
        put(repository, name, "gpu", text=GPU)
    put(repository, "ch01/a", text=PRINTED)
    put(repository, "ch01/b", text="n: 8\nraised: KeyError\n")
    return repository


@pytest.fixture
def shown(book):
    def shown(source: str, line: int = 1):
        (call,) = find_calls("\n" * (line - 1) + f"{{{{ {source} }}}}")
        assert not isinstance(call, DirectiveError), call
        return inline(book, call)

    return shown


@pytest.fixture
def refused(shown):
    def refused(source: str) -> str:
        with pytest.raises(DirectiveError) as error:
            shown(source, line=7)
        assert error.value.line == 7
        return str(error.value)

    return refused


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ('"ch01/a", "n"', "4096"),
        ('"ch01/a", "n", runner="gpu"', "1024"),
        ('"ch01/a", "n", format=","', "4,096"),
        ('"ch01/a", "mean"', "0.125 ms"),
        ('"ch01/a", "mean", format=".1f"', "0.1"),
        ('"ch01/a", "max abs diff", section="one"', "2.384e-07"),
        ('"ch01/a", "max abs diff", section="two", format=".1f"', "5.0"),
        ('"ch01/a", "sm_90", runner="compiler", section="k(B=1)", field="registers"', "18"),
        ('"ch01/facts_first", "n"', "1024"),
        ('"ch01/a", "[n] / 3"', "1.37e+03"),
        ('"ch01/a", "[n] / 3", format=".1f"', "1365.3"),
        ('"ch01/a", "[n] / [gpu | n]", format="d"', None),
        ('"ch01/a", "[interpreter | n] / [gpu | n]", format=".0f"', "4"),
        ('"ch01/a", "[n] - 1", format=","', "4,095"),
        ('"ch01/a", "100 * ([n] / [ch01/b | n] - 1)", format=".1f"', "51100.0"),
        ('"ch01/a", "[one | max abs diff]"', "2.38e-07"),
        ('"ch01/a", "[max abs diff]", section="two"', "5"),
        ('"ch01/a", "[max abs diff] * [ch01/b | n]", section="two"', "40"),
        ('"ch01/a", "[gpu | two | loads]"', "4"),
        ('"ch01/a", "[a|b] + [x = 1, n = 8]", section="one"', "16"),
        ('"ch01/a", "[mean] * 2"', "0.25"),
        ('"ch01/a", "[big] - 9007199254740992", section="two"', "1"),
    ],
)
def test_value(shown, refused, arguments, text):
    if text is None:
        assert "format 'd' does not suit" in refused(f"value({arguments})")
    else:
        assert shown(f"value({arguments})").text == text


def test_a_value_knows_what_it_rests_on(shown):
    found = shown('value("ch01/a", "[n] / [ch01/b | interpreter | n]", runner="gpu")')
    assert [(v.snippet.name, v.capture.runner, v.label) for v in found.values] == [
        ("ch01/a", "gpu", "n"), ("ch01/b", "interpreter", "n"),
    ]  # fmt: skip
    assert found.missing == ()


@pytest.mark.parametrize(
    ("call", "said"),
    [
        ('value("ch01/a", "m")', "ch01/a: label 'm' is printed 0 times"),
        ('value("ch01/a", "max abs diff")', "printed 2 times"),
        ('value("ch01/a", "twice", section="one")', "printed 2 times"),
        ('value("ch01/a", "x", section="three")', "section 'three' is printed 2 times"),
        ('value("ch01/a", "x", section="four")', "section 'four' is printed 0 times"),
        ('value("ch01/a", "n", runner="mojo")', "no runner 'mojo'; it declares interpreter, compiler, gpu"),
        ('value("ch01/zzz", "n")', "there is no snippet 'ch01/zzz'"),
        ('value("ch01/odd", "n")', "declares no runner that prints values"),
        ('value("ch01/a", "n", format="q")', "format 'q' does not suit 4096"),
        ('value("ch01/a", "[n] * 2", format="q")', "format 'q' does not suit 8192"),
        ('value("ch01/a", "[n] > 2")', "is no number"),
        ('value("ch01/a", "[right]", section="one")', "is no number"),
        ('value("ch01/a", "[list] + 1")', "'1, 2, 3' is no number"),
        ('value("ch01/a", "[n] / 0")', "divides by zero"),
        ('value("ch01/a", "[n", runner="gpu")', "is no expression"),
        ('value("ch01/a", "[n] * 2", field="loads")', "field 'loads' belongs to one label"),
        ('value("ch01/a", "[m] * 2")', "label 'm' is printed 0 times"),
        ('value("ch01/a", "[ch01/zzz | n]")', "there is no snippet 'ch01/zzz'"),
        ('value("ch01/a", "[tpu | n]")', "section 'tpu' is printed 0 times"),
        ('value("ch01/a", "[twice]", section="one")', "printed 2 times"),
    ],
)
def test_what_cannot_be_shown_says_why(refused, call, said):
    assert said in refused(call)


MISSING = [
    'value("ch01/none", "n")', 'value("ch01/none", "[n] * 2", runner="gpu")', 'hand("5", "[ch01/none | n]")',
    'claim("words", "[n] > 5", snippet="ch01/none")', 'value("ch01/a", "[n] / [ch01/none | n]")',
]  # fmt: skip


@pytest.mark.parametrize("call", MISSING)
def test_a_missing_capture_is_missing_and_no_error(shown, call):
    found = shown(call)
    assert [(snippet.name, runner) for snippet, runner in found.missing] == [
        ("ch01/none", "gpu" if "gpu" in call else "interpreter")
    ]
    assert found.text == {"v": "?", "h": "5", "c": "words"}[call[0]]


@pytest.mark.parametrize(
    "condition",
    [
        "[n] == 4096", "4000 < [n] <= 4096 and [gpu | n] < [interpreter | n]", "[one | right] == 'True'",
        "[n] > 5000 or [ch01/b | n] == 8", "[ch01/b | raised] == 'KeyError'", "[list] == '1, 2, 3'",
        "[two | loads] != [gpu | two | loads]", "[two | loads] == 4", "[two | big] != 9007199254740992",
        "[one | max abs diff] < 1e-6", "[mean] == 0.125 and [mean] == '0.125 ms'",
        "[compiler | k(B=1) | sm_90] != [list]", "[list] != [gpu | list] or [list] == [gpu | list]",
    ],
)  # fmt: skip
def test_a_claim_that_holds_shows_its_words(shown, condition):
    found = shown(f'claim("the words", "{condition}", snippet="ch01/a")')
    assert found.text == "the words"
    assert found.values


def test_a_claim_that_fails_quotes_the_sentence_and_the_values(refused):
    said = refused('claim("more than twice", "[n] > 2 * [gpu | n] and [gpu | n] > 2000", snippet="ch01/a")')
    assert "the page says “more than twice”" in said
    assert "[n] > 2 * [gpu | n] and [gpu | n] > 2000 does not hold" in said
    assert "[interpreter | n] is 4096, [gpu | n] is 1024" in said


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('"w", "[n] + 1", snippet="ch01/a"', "no comparison"),
        ('"w", "1 < 2"', "names no captured value"),
        ('"w", "[n] > 1"', "names no snippet, and neither does the call"),
        ('"w", "[n] and [n] > 1", snippet="ch01/a"', "join comparisons"),
        ('"w", "[list] > 1", snippet="ch01/a"', "'1, 2, 3'"),
        ('"w", "[list] == 1", snippet="ch01/a"', "one is text and the other a number"),
        ('"w", "[n] == \'4096\'", snippet="ch01/a"', "stands without quotes"),
        ('"w", "[two | loads] == [gpu | two | loads]", snippet="ch01/a"', "does not hold"),
        ('"0.00041 on average", "[n] > 1", snippet="ch01/a"', "state 0.00041"),
        ('"1.5 × as many, or 3.5 ×", "[n] > 1.5", snippet="ch01/a"', "state 3.5 ×"),
        ('"12 % more", "[n] > 12.5", snippet="ch01/a"', "state 12 %"),
    ],
)
def test_a_claim_that_claims_nothing_is_refused(refused, arguments, said):
    assert said in refused(f"claim({arguments})")


@pytest.mark.parametrize(
    ("words", "condition"),
    [
        ("1.5 × as many", "[n] > 1.5"), ("12 % more", "[n] > 0.12"),
        ("below 10⁻⁶", "[one | max abs diff] < 1e-6"),
        ("within 5e-7", "[one | max abs diff] < 5e-7"), ("five in 16 × 16", "[n] > 1"),
    ],
)  # fmt: skip
def test_a_claim_may_state_the_numbers_of_its_condition(shown, words, condition):
    assert shown(f'claim("{words}", "{condition}", snippet="ch01/a")').text == words


@pytest.mark.parametrize(
    ("words", "source"),
    [
        ("0.70711", "1 / sqrt(2)"), ("0.7", "1 / sqrt(2)"), ("4,096", "2 * 2048"), ("4096", "[n]"),
        ("−4096", "-[n]"),
        (r"1.07 \\cdot 10^{-6}", "2 * 1.5 * 2**-23 * 3"), (r"1.1 \\times 10^{-6}", "2 * 1.5 * 2**-23 * 3"),
        ("1.07·10⁻⁶", "2 * 1.5 * 2**-23 * 3"), ("10^{-5}", "1 / 100000"), ("10⁻⁵", "1 / 100000"),
        ("10^3", "10 * 100"),
        ("2^{20}", "2**20"), ("2⁻²⁴", "2**-24"),
        ("3 · 2^{10}", "3 * 1024"), ("1.07e-6", "2 * 1.5 * 2**-23 * 3"),
        ("12 %", "100 * 0.12"), ("0.50", "1 / 2"), ("0", "1 - 1"), ("0.0", "1 - 1"), (".5", "1 / 2"),
        ("-0.5", "-1 / 2"),
        ("3 ms", "6 / 2"), ("9007199254740993", "[two | big]"), ("18446744073709551617", "2**64 + 1"),
        ("2.4e-7", "[one | max abs diff]"), ("about 4.1 thousand", "[n] / 1000"),
    ],
)  # fmt: skip
def test_hand(shown, words, source):
    assert shown(f'hand("{words}", "{source}", snippet="ch01/a")').text == words.replace(r"\\", "\\")


@pytest.mark.parametrize(
    ("words", "source", "said"),
    [
        ("0.70710", "1 / sqrt(2)", "the page says 0.70710, but 1 / sqrt(2) is 0.7071068"),
        ("0.8", "1 / sqrt(2)", "0.707"),
        ("0.70", "1 / sqrt(2)", "0.7071"),
        ("4,097", "[n]", "is 4096"),
        ("4000", "[n]", "is 4096"),
        ("4096", "-[n]", "is -4096"),
        (r"1.08 \\cdot 10^{-6}", "2 * 1.5 * 2**-23 * 3", "1.0729e-06"),
        (r"1.07 \\cdot 10^{-7}", "2 * 1.5 * 2**-23 * 3", "1.0729e-06"),
        ("10^{-5}", "1e-6 * 1", "is 1e-06"),
        ("2^{20}", "2**20 + 1", "1048577"),
        ("2^{20}", "2**10 * 1000", "1024000"),
        ("9007199254740992", "[two | big]", "9007199254740993"),
        ("18446744073709551616", "2**64 + 1", "18446744073709551617"),
        ("5", "1 / 2", "0.5"),
        ("0", "1 / 3", "0.333"),
        ("no number", "1 + 1", "shows 0 numbers"),
        ("1.5–2.0", "1.5 * 1", "shows 2 numbers"),
        ("2 and 0.00041", "1 + 1", "shows 2 numbers"),
        ("1,5", "15 * 1", "needs exactly one"),
        ("1.2.3", "1.2 * 1", "needs exactly one"),
        ("10^{999999999}", "1 + 1", "too large"),
        ("5", "2 > 1", "no number"),
        ("5", "'5 x'", "no number"),
        ("5", "[list]", "no number"),
        ("0.00041", "0.00041", "derives nothing"),
        ("5", "inf_", "only numbers"),
        ("5", "1e308 * 10", "the page says 5"),
        ("5", "[n", "no expression"),
        ("5", "sqrt(-1)", "math domain error"),
        ("5", "__import__('os').getpid()", "only numbers"),
    ],
)
def test_a_wrong_digit_or_what_is_no_arithmetic_is_refused(refused, words, source, said):
    assert said in refused(f'hand("{words}", "{source}", snippet="ch01/a")')


def test_cite(shown, refused, book):
    assert shown('cite("1e-5, by default", "a-paper")').text == "1e-5, by default"
    assert "no source 'b' in docs/bibliography.md" in refused('cite("x", "b")')
    assert "no source" in refused('cite("x", "A paper")')
    (book.docs / "bibliography.md").unlink()
    assert "no source" in refused('cite("x", "a-paper")')


@pytest.mark.parametrize("source", ["x\n", "---\nsnippet: x\n---\n"])
def test_a_file_that_is_no_capture_is_an_error(refused, book, source):
    book.snippets["ch01/a"].capture_path("interpreter").write_text(source)
    assert "a.interpreter.txt" in refused('value("ch01/a", "n")')


def test_check_gives_the_same_answer(book):
    good, bad, whole = find_calls(
        '{{ value("ch01/a", "n") }}\n{{ value("ch01/a", "m") }}\n{{ program("ch01/a") }}'
    )
    check(book, good)
    for call in (bad, whole):
        with pytest.raises(DirectiveError):
            check(book, call)
