"""A number that could be a measurement is found wherever a reader would see it, and nothing else is."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executed import lint
from executed.discover import discover
from executed.sources import Source, find_in_html, find_numbers, numbers_of, sections

ROOT = Path(__file__).resolve().parent.parent.parent
SECTIONS = frozenset({"2.1", "2.5", "12.3"})


def unsourced(text: str, code: str = "") -> list[tuple[int, str]]:
    return [(n.line, n.text) for n in find_numbers(text, code, SECTIONS) if n.source is Source.UNSOURCED]


def in_html(text: str, code: str = "") -> list[str]:
    return [number.text for number in find_in_html(text, code, SECTIONS)]


FOUND = """
0.00041 · -0.5 · −0.5 · .5 · 1,000.5 · 1_000.5 · 0.5f · 1.5k · 1.5GBps · 0.00041sec
5e-7 · 5E-7 · 1.5e3 · 1.e-05 · 5e-7s · 2e9
1.5 ms · 5 ms · 5ms · 5 s · 5 µs · 5 μs · 5 us · 5 ns · 5  ms · 5-ms · 5 seconds · 5 milliseconds · 3 minutes
3 GB/s · 80 GB · 80-GB · 5 GiB · 5 TFLOPS · 5 TFLOP/s · 1 GHz · 700 W · 67 °C · 40 % · 40% · 40 percent
3× · 3 × · × 3 · ×3 · ×0.5 · 3x · 3 x · 1.5× · 3 ✕ · 3-fold · 5 times faster · 5 times as fast
1 000 ms · 1_000 ms · 1,000 ms · 1'000 ms · ０.５ · ０．５ · ٣.٥ · 𝟎.𝟓 · 5 ％
10^-5 · 10^{-5} · 10^{−5} · 10⁻⁵ · 10⁵ · 2·10⁵ · 2 × 10⁵ · 10**-5 · 10<sup>-5</sup>
0&#46;5 · 0&period;5 · 5&nbsp;ms · 5&thinsp;ms · 3&times; · &#51; ms
0.<b>5</b> · <i>0</i>.5 · 0<span>.</span>5 · 0.**5** · **0**.5 · **5** ms · 5 *ms* · _5_ ms · `5` ms · 0\\.5
5[^1] ms · $5\\,\\mathrm{ms}$ · $12\\,\\%$ · $5\\,\\mu\\mathrm{s}$ · $0{.}5$ · $1{,}000.5$ · $\\frac{0.5}{2}$
$3\\times$
$5\\cdot10^{-5}$ · $x = 0.5$ · $x_{0.5}$ · x-0.5 · run-0.00041 · ~0.5 · ≈0.5 · <0.5 · =0.5 · "0.5" · (0.5)
Triton 0.00041 · torch: 0.53 · torch | 0.53 · torch (0.53) · Triton 2.5 ms · version 0.00041 · 2.5 as fast
a gain of 2.5 · gains of 2.5 and 2.1 · it took: 2.5 · in 2.5 ms · (2.5 ms) · section 2.6 · chapter 12.5
[1., 2.] · `0.5` · `<Timer 0.5>` · `{{ 0.5 }}` · `10**-5`
"""
SPECIAL = [
    "5\u00a0µs", "5\u202fms", "5\u2009ms", "0.\u200b5", "0\u00ad.5", "takes 5\nms", "> takes 5\n> ms",
    "1.5\u20132.0", "5\u201310 ms", "5-10 ms", "1.5--2.0",
]  # fmt: skip
PIECES = [piece.strip() for line in FOUND.strip().split("\n") for piece in re.split(r" · ", line)] + SPECIAL


@pytest.mark.parametrize("piece", PIECES)
def test_a_number_in_a_sentence_is_found(piece):
    assert unsourced(f"So it is {piece}, as seen.")


PLACES = {
    "heading": "# It is {} here",
    "second heading": "## Gain {} in all",
    "cell": "| a | {} |",
    "list": "1. {}",
    "quote": "> {}",
    "admonition": '!!! note "It takes {}"',
    "in an admonition": "!!! note\n    It takes {}",
    "bold": "is **{}** so",
    "italic": "is *{}* so",
    "underscores": "is _{}_ so",
    "image": "![takes {}](x.png)",
    "title": '![x](x.png "takes {}")',
    "alternative": '<img src="x.png" alt="takes {}">',
    "link": "[takes {}](x.md)",
    "caption": "<figure><figcaption>{}</figcaption></figure>",
    "SVG": '<svg viewBox="0 0 1 1"><text x="1.5">{}</text></svg>',
    "footnote": "[^1]: It is {}",
    "definition": "word\n:   It is {}",
    "abbreviation": "*[HTML]: {}",
    "fence": "```text\n{}\n```",
    "tilde fence": "~~~\n{}\n~~~",
    "indented fence": "- x\n\n    ```\n    {}\n    ```",
    "open fence": "```\n{}",
    "code": "`{}`",
    "HTML": "<p>{}</p>",
    "table in HTML": "<td>{}</td>",
    "mathematics": "$x = {}$",
    "displayed": "$$\nx = {}\n$$",
    "front matter": "---\ndescription: takes {}\n---\n",
    "with punctuation": "so: ({}), then",
    "end of sentence": "It is {}.",
    "question": "Is it {}?",
    "after a call": '{{{{ value("a/b", "x") }}}} {}',
    "by a link": "[a](b.md) {} [c](d.md)",
    "by a tag": "<b>x</b>{}<b>y</b>",
    "in a call's neighbour": '`{{{{ value("a", "{}") }}}}`',
}


@pytest.mark.parametrize("number", ["0.00041", "5e-7", "7.25"])
@pytest.mark.parametrize("place", PLACES.values(), ids=PLACES)
def test_a_number_is_found_in_every_place_on_its_line(place, number):
    text = f"first\n\n{place.format(number)}\n\nlast\n"
    line = text[: text.index(number)].count("\n") + 1
    assert unsourced(text) == [(line, number)]


@pytest.mark.parametrize("place", ["# {}", "| {} |", "*{}*", "> {}", "```\n{}\n```", "<p>{}</p>", "$x$ {}"])
@pytest.mark.parametrize("number", ["3×", "12 %", "1.5 ms", "10⁻⁵", "3 GB/s"])
def test_so_is_a_number_with_a_unit(place, number):
    assert unsourced(place.format(number))


NOT_FOUND = """
torch 2.13.0 · Python 3.11 · triton 3.7.1 · Triton 3.7 · PyTorch 2.11 · Python ≥ 3.11 · Python 3.11 and 3.12
CUDA 12.8 · torch==2.13 · PTX 8.7 · version 4.2 · versions 3.11, 3.12 · GPT-3.5 · v1.5 · driver 580.159.04
2026-05-31 · in 2005 · 1980s · May 2027 · 0s and 1s
5 kernels · 1,024 elements · 2-D · 3-D blocks · fp32 · float32 · int8 · sm_90 · gfx942 · H200 · 64-bit
32 bits
16 × 16 · 16×16 · 128 x 128 x 64 · 3 + 4 · 1/2 · ½ · 2³¹ · 2^20 · 1:2 · 5, 6 · x_1 · x[0] · f(0) · 0x1f
2n bytes
5 msgs · 6 waits · 4 warps · many times as · 3 more times · 5 steps · 7 Ways · 3 sections
see 2.5 · in 2.1, and · (2.5) · Section 2.5 · sections 2.1 and 2.5 · [Chapter 2](x.md), 2.5 · in 2.1.3
Example 2.5
`sm_90` · `.1e` · `.3g` · `{x:.3f}` · `x[0]` · $2x + 3s$ · $2^{-12}$ · $x^3$ · $\\frac12$ · $1 + 2^{-24}$
[x](a-0.5.html) · [x](<a 0.5.html>) · [x](https://a.b/1.5/0.3) · <https://a/0.5> · https://a.b/0.5
<rect width="1.5"/> · <span style="font-size: 1.5em">a</span> · ![a](b.png){ width="1.5em" }
a {: .b x="1.5" }
<!-- 0.5 --> · {{ value("a/b", "0.5 ms") }} · {{ hand("0.5", "1 / 2") }} · {{ cite("1.5 ×", "x") }}
"""
QUIET = [
    "5\n\nms", "chapter 5\nis", "| 5 | s |", "| 5 |\n| s |", "```\n5\ns\n```", "<!--\n0.5\n-->",
    "1. one\n2. two",
    "<style>\na { b: 1.5em }\n</style>", '```python\n--8<-- "ch01/a.py:0.5"\n```', "[ref]: a/1.5.md",
    "nothing: 2.1, 2.5 |", "## 2.1 The signature", "### Worked example 2.1.1: one",
    "**2.1** the a · **2.5** the b",
    '<svg><path d="M1.5 0.3h2"/><text x="1.5">5</text><text>s</text></svg>', "<td>5</td><td>s</td>",
]  # fmt: skip
NOTHING = [piece.strip() for line in NOT_FOUND.strip().split("\n") for piece in line.split(" · ")] + QUIET


@pytest.mark.parametrize("piece", NOTHING)
def test_what_is_no_measurement_is_left_alone(piece):
    assert unsourced(piece) == []
    if piece not in QUIET:
        assert unsourced(f"So {piece} and") == []


def test_a_constant_of_included_code_is_told_apart_digit_for_digit():
    code = "x = 0.5 * y\natol = 1e-6\nn = 12\n"
    text = "It is 0.5, 1e-6, -0.5; then 0.50, 1e-7, 0.5 ms, 12 ms, 12 × and .5."
    found = [(n.text, n.source) for n in find_numbers(text, code, SECTIONS)]
    assert [text for text, source in found if source is Source.CODE] == ["0.5", "1e-6", "-0.5"]
    assert [text for text, source in found if source is Source.UNSOURCED] == [
        "0.50", "1e-7", "0.5 ms", "12 ms", "12 ×", ".5",
    ]  # fmt: skip


def test_sections_are_those_of_their_own_chapter():
    pages = [
        "# 12. Twelve\n\n## 12.1 One\n### Worked example 12.1.1: x\n## 3.7 times as fast\n## Gain 12.9 of\n"
        "## 12.8 GB/s\n**12.7** times\n",
        "# Contents\n\n## Chapter 3: Three {#c}\n\nIs **0.5**.\n\n**3.1** a · **3.2** b\n**4.1** c\n",
        "# Home\n\n## 7.1 seconds\n\n**8.1**\n",
    ]
    assert sections(iter(pages)) == {"12.1", "12.1.1", "3.1", "3.2"}


def test_a_bold_number_is_no_section_and_neither_is_one_in_a_heading(repo):
    repository = repo(
        {"docs/01-a.md": "# 1. One\n\n## 1.1 A\n\nIt is **0.41**.\n\n## 3.7 as fast\n\nOr 3.7.\n"}
    )
    (page,) = lint.pages(repository)
    assert [e.split(": ")[0].rsplit(":")[-1] for e in lint.check(repository)] == ["5", "7", "9"]
    assert lint.count_numbers(repository, page)[Source.UNSOURCED] == 3


PAGES = sorted((ROOT / "docs").rglob("*.md"))


@pytest.fixture(scope="module")
def book():
    repository = discover(ROOT)
    known = lint.section_numbers(repository)
    return {
        page.path: (page.text, lint.included_code(repository, page), known) for page in lint.pages(repository)
    }


def _prose(text: str) -> list[int]:
    """Lines, from 0, that hold a sentence or a row of a table."""
    inside, found = False, []
    for number, line in enumerate(text.split("\n")):
        if re.match(r"\s*(```|~~~)", line):
            inside = not inside
        words = re.sub(r"\{\{.*?\}\}|<[^>]*>|`[^`]*`|\$[^$]*\$", "", line)
        if not inside and len(re.findall(r"[A-Za-z]{2,}", words)) > 4 and "--8<--" not in line:
            found.append(number)
    return found


TYPED = {
    "middle": lambda line, word: line[: word.start()] + "0.00041 " + line[word.start() :],
    "behind a word": lambda line, word: line[: word.end()] + " of 0.00041" + line[word.end() :],
    "bold": lambda line, word: line[: word.start()] + "**0.00041** " + line[word.start() :],
    "before a comma": lambda line, word: line[: word.end()] + " 0.00041," + line[word.end() :],
    "in brackets": lambda line, word: line[: word.end()] + " (0.00041)" + line[word.end() :],
    "end": lambda line, word: re.sub(r"(\.?)(\s*\|?\s*)$", r" 0.00041\1\2", line, count=1),
    "with a unit": lambda line, word: line[: word.end()] + " 41 ms" + line[word.end() :],
}


# What is no place to type into: calls, tags, code, mathematics, addresses, attributes.
HIDDEN = re.compile(r"\{\{.*?\}\}|<[^>]*>|`[^`]*`|\$\$.*?\$\$|\$[^$]*\$|\]\([^)]*\)|\{[^}]*\}")
WORD = re.compile(r"(?<![\w\"'=./&\\-])[A-Za-z]{2,}(?![\w\"'=/&-])")


@pytest.mark.parametrize("place", [0.0, 0.4, 0.9])
@pytest.mark.parametrize("typed", TYPED.values(), ids=TYPED)
@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_number_typed_into_any_sentence_of_any_page_is_found_on_its_line(book, path, typed, place):
    text, code, known = book[path]
    lines, changed = text.split("\n"), []
    for number in _prose(text):
        hidden = [m.span() for m in HIDDEN.finditer(lines[number])]
        words = [m for m in WORD.finditer(lines[number]) if not any(a <= m.start() < b for a, b in hidden)]
        if words:
            lines[number] = typed(lines[number], words[int(place * len(words))])
            changed.append(number + 1)
    found = [n for n in find_numbers("\n".join(lines), code, known) if n.source is Source.UNSOURCED]
    assert changed and changed == sorted(n.line for n in found if "41" in n.text)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_a_block_of_output_typed_by_hand_is_found(book, path):
    text, code, known = book[path]
    changed = f"{text}\n```text\nmax abs diff: 0.00041\n```\n"
    found = [n.line for n in find_numbers(changed, code, known) if n.text == "0.00041"]
    assert found == [changed.count("\n") - 1]


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ("<p>It is 0.5</p>", ["0.5"]),
        ("<p>0.<b>5</b> and 0<span>.</span>5</p>", ["0.5", "0.5"]),
        ("<p>0&#46;5 or 5&nbsp;ms</p>", ["0.5", "5 ms"]),
        ("<p>10<sup>-5</sup></p>", ["10^-5"]),
        ('<p>10<sup id="fnref:1"><a href="#fn:1">1</a></sup></p>', []),
        ("<table><tr><td>5</td><td>s</td></tr></table>", []),
        ("<svg><text>5</text><text>x</text></svg>", []),
        ("<p>takes 5<br>ms</p><p>or 5\nms</p>", ["5 ms", "5 ms"]),
        ("<h2>2.5 The title</h2><p>is 2.5 as</p>", ["2.5"]),
        ("<p><strong>2.1</strong> the a · <strong>2.5</strong> the b</p>", []),
        ('<img alt="1.5" width="1.5"><a href="0.5">x</a>', []),
        ("<p>a &lt;b 0.5&gt;</p>", ["0.5"]),
        (
            "<style>a { b: 1.5em }</style><script>x = 0.5</script><math><mn>0.5</mn></math><code>0.5</code>",
            [],
        ),
        ("<p>0.5", ["0.5"]),
        ("</p></div><p>0.5</p>", ["0.5"]),
        ("<p>fine 0.5", ["0.5"]),
    ],
)
def test_a_rendered_page_is_read_as_it_shows(page, found):
    assert in_html(page) == found


@pytest.mark.parametrize("kind", ["value", "claim", "derived", "cited", "evidence", "highlight"])
@pytest.mark.parametrize(
    "inner", ["0.1", "<b>0.1</b> 0.2", "<br>0.1<img>", "<p>0.1", "<svg><path/>0.1</svg>"]
)
def test_what_the_engine_put_there_has_its_source_and_what_follows_has_not(kind, inner):
    assert in_html(f'<div class="x {kind} y">{inner}</div>0.7') == ["0.7"]
    assert in_html(f'<div class="x{kind}">0.7</div>') == ["0.7"]


def test_a_constant_of_code_may_stand_in_a_rendered_page():
    assert in_html("<p>Halve: 0.5, not 0.6</p>", "x = 0.5") == ["0.6"]


@given(st.text(st.sampled_from("0123459.,eE-+x×%ms µ`*_$\\{}[]()<>&;#!|~^\n ab\"'/:="), max_size=60))
def test_any_text_is_read_and_every_line_exists(text):
    lines = text.count("\n") + 1
    assert all(1 <= number.line <= lines for number in find_numbers(text, "", SECTIONS))
    in_html(text)


@given(
    st.integers(0, 10**6),
    st.integers(1, 6),
    st.sampled_from(["", " ", "\n", "a ", "(", "| ", "- ", "**", "~"]),
)
def test_any_decimal_is_found_whatever_stands_before(whole, places, before):
    number = f"{whole / 10**3:.{places}f}"
    assert unsourced(f"{before}{number} is") == [(1 + before.count("\n"), number)] or number in SECTIONS


def test_numbers_of_words():
    assert numbers_of("twice as fast, or 1.5 × as fast as 12 kernels") == ["1.5 ×"]
