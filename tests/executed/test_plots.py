"""A plot draws what was captured, says it in words and in a table, and is refused where it cannot."""

import html
import math
import re
import xml.etree.ElementTree as ElementTree

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from executed import lint
from executed.context import Context
from executed.plots import MOST_SERIES, WIDTH, Chart, Point, Series, check, names, svg
from executed.render import expand

GPU = '# /// capture\n# runners = ["interpreter", "gpu"]\n# ///\nprint()\n'
RATES = """\
copy GB/s: 4101
== float16 ==
stride 1 GB/s: 2100
stride 2 GB/s: 1050
stride 16 GB/s: 130
== float32 ==
stride 1 GB/s: 4000
stride 2 GB/s: 2000
stride 16 GB/s: 250
== errors ==
at -3.0: kernel 1e-7, tanh 4.1e-04
at 0.0: kernel 0, tanh 0.0
at 3.0: kernel 2e-7, tanh 4.1e-04
== configs ==
BLOCK 64 warps 2: 0.6349 1268 0.31
BLOCK 64 warps 8: 0.7020 1147 0.28
BLOCK 256 warps 2: 0.1895 4249 1.04
== odd ==
n 4 ms: fast
n 8 ms: nan
twice 1: 3
twice 1.0: 4
"""
AXES = 'title="A <title> & more", x="stride", y="GB/s"'
ERRORS = AXES.replace("GB/s", "error")


@pytest.fixture
def drawn(repo, put):
    """The HTML of a plot of ``RATES``, and what is wrong with it."""
    repository = repo({"snippets/ch01/a.py": GPU})
    put(repository, "ch01/a", text="stride 1 GB/s: 7\nstride 8 GB/s: 9\n")
    put(repository, "ch01/a", "gpu", text=RATES)

    def draw(arguments: str, axes: str = AXES) -> tuple[str, tuple[str, ...]]:
        call = f'{{{{ plot("ch01/a", {arguments}, {axes}) }}}}'
        expanded = expand(call, Context(repository, {"torch": "2.13.0"}, lambda path: path))
        return "".join(expanded.blocks.values()), expanded.problems

    return draw


def rows(page: str) -> list[list[str]]:
    found = re.findall(r"<tr>(.*?)</tr>", page)
    return [[html.unescape(cell) for cell in re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)] for row in found]


def picture(page: str) -> ElementTree.Element:
    return ElementTree.fromstring(re.search(r'<svg class="plot__picture".*?</svg>', page, re.DOTALL)[0])


def marks(page: str, series: int = 0) -> list[tuple[float, float]]:
    group = re.search(rf'<g class="plot__s{series}">(?!<path class="plot__line" d="M0 7).*?</g>', page.partition("picture")[2])[0]
    return [(float(x), float(y)) for x, y in re.findall(r"translate\(([\d.]+) ([\d.]+)\)", group)]


def test_every_number_of_a_plot_stands_in_its_table(drawn):
    page, problems = drawn('"[gpu | float16 | stride * GB/s]", "[gpu | float32 | stride * GB/s]", ceiling="[gpu | copy GB/s]"')
    assert problems == ()
    assert rows(page) == [
        ["stride", "float16", "float32"], ["1", "2100", "4000"], ["2", "1050", "2000"], ["16", "130", "250"],
        ["copy GB/s", "4101"],
    ]
    points = re.findall(r"<title>(stride [^<]*)</title>", page)
    assert points == [f"stride {x} GB/s: {y}" for x, y in zip([1, 2, 16] * 2, [2100, 1050, 130, 4000, 2000, 250])]
    assert page.count("NVIDIA H200") == 1, "one foot for one capture"


def test_a_drawing_has_a_name_and_says_what_it_shows(drawn):
    page, _ = drawn('"[gpu | float16 | stride * GB/s]", "[gpu | float32 | stride * GB/s]", ceiling="[gpu | copy GB/s]", log="x"')
    svg = picture(page)
    names = svg.get("aria-labelledby").split()
    told = {child.get("id"): child.text for child in svg if child.get("id")}
    assert svg.get("role") == "img" and list(told) == names
    assert told[names[0]] == "A <title> & more"
    assert told[names[1]] == (
        "A line over stride, logarithmic, of GB/s. "
        "float16: from 2100 at 1 to 130 at 16; least 130 at 16, most 2100 at 1. "
        "float32: from 4000 at 1 to 250 at 16; least 250 at 16, most 4000 at 1. "
        "A dashed line marks copy GB/s: 4101."
    )
    assert "<figcaption>A &lt;title&gt; &amp; more</figcaption>" in page


def test_a_logarithmic_axis_gives_each_doubling_the_same_room(drawn):
    linear, _ = drawn('"stride * GB/s", runner="gpu", section="float32"')
    page, _ = drawn('"stride * GB/s", runner="gpu", section="float32", log="xy"')
    (x1, y1), (x2, y2), (x16, y16) = marks(page)
    assert (x16 - x2) / (x2 - x1) == pytest.approx(3, abs=0.02)
    assert (y16 - y2) / (y2 - y1) == pytest.approx(3, abs=0.02)
    (x1, y1), (x2, y2), (x16, y16) = marks(linear)
    assert (x16 - x2) / (x2 - x1) == pytest.approx(14, abs=0.1)
    assert (y16 - y2) / (y2 - y1) == pytest.approx(1750 / 2000, abs=0.01)


def test_a_zero_on_a_logarithmic_axis_stands_below_it(drawn):
    page, problems = drawn('"at *", runner="gpu", field="tanh", log="y"', ERRORS)
    assert problems == ()
    (_, left), (_, zero), (_, right) = marks(page)
    assert left == right < zero
    assert re.findall(r'class="plot__tick"[^>]*>(0|10⁻⁴|0\.0001)<', page)[0] == "0"
    assert page.count("plot__mark--hollow") == 1


def test_a_field_is_picked_by_its_name_or_its_place(drawn):
    page, problems = drawn('"at *", runner="gpu", field="kernel"', ERRORS)
    assert problems == () and ["3.0", "2e-7"] in rows(page)
    page, problems = drawn('"BLOCK * warps 2", "BLOCK * warps 8", runner="gpu", field="2"')
    assert problems == ()
    assert rows(page) == [["stride", "warps 2", "warps 8"], ["64", "1268", "1147"], ["256", "4249", ""]]


def test_bars_are_named_and_numbered_and_as_long_as_their_values(drawn):
    page, problems = drawn('"BLOCK * warps 2", "BLOCK * warps 8", runner="gpu", field="2", kind="bars", ceiling="copy GB/s"')
    assert problems == ()
    wide = [float(width) for width in re.findall(r'<rect class="plot__bar"[^>]* width="([\d.]+)"', page)]
    assert [w / wide[0] for w in wide] == pytest.approx([1, 1147 / 1268, 4249 / 1268], rel=0.01)
    texts = [text.text for text in picture(page).iter("{http://www.w3.org/2000/svg}text")]
    assert texts == ["stride", "GB/s", "64", "warps 2", "1268", "warps 8", "1147", "256", "warps 2", "4249", "copy GB/s: 4101"]


def test_what_is_no_finite_number_leaves_a_gap(repo, put):
    repository = repo({"snippets/ch01/a.py": GPU})
    put(repository, "ch01/a", text="n 1: 4\nn 2: 5\nn 4: nan\nn 8: 2\nn 16: 1\n")
    page = next(iter(expand(f'{{{{ plot("ch01/a", "n *", {AXES}) }}}}', Context(repository, {}, str)).blocks.values()))
    assert ["4", "nan"] in rows(page) and len(marks(page)) == 4
    assert len(re.findall(r'<path class="plot__line"', page)) == 2


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ('"strid * GB/s", runner="gpu"', "no label fits 'strid * GB/s'; labels are: 'copy GB/s', 'stride 1 GB/s'"),
        ('"[gpu | float8 | stride * GB/s]"', "section 'float8' is printed 0 times"),
        ('"stride * GB/s", runner="gpu"', "label 'stride 1 GB/s' is printed 2 times"),
        ('"copy GB/s", runner="gpu"', "a series needs one * in its label, which stands for x; 'copy GB/s' has 0"),
        ('"* * GB/s", runner="gpu"', "'* * GB/s' has 2"),
        ('"n * ms", runner="gpu"', "'n 4 ms' is 'fast', which is no number"),
        ('"twice *", runner="gpu"', "x = 1.0 is printed twice: 'twice 1' and 'twice 1.0'"),
        ('"BLOCK *", runner="gpu"', "x is '64 warps 2', which is no number; kind=\"bars\" takes names"),
        ('"[gpu | errors | at *]", field="tanh", log="x"', "-3.0 has no place on a logarithmic axis"),
        ('"[gpu | float16 | stride * GB/s]", ceiling="[gpu | paste]"', "label 'paste' is printed 0 times"),
        ('"[gpu | float16 | stride * GB/s]", kind="pie"', 'kind is "lines" or "bars"'),
        ('"[gpu | float16 | stride * GB/s]", log="z"', 'log is "x", "y" or "xy"'),
        ('"[gpu | float16 | stride * GB/s]", kind="bars", log="x"', "log='x' means nothing"),
        ('runner="gpu"', "it needs a series"),
        ('"stride * GB/s", runner="tpu"', "ch01/a has no runner 'tpu'"),
        (", ".join(['"[gpu | float16 | stride * GB/s]"'] * (MOST_SERIES + 1)), "7 series; 6 can be told apart"),
    ],
)
def test_what_cannot_be_drawn_is_refused(drawn, arguments, said):
    page, (problem,) = drawn(arguments)
    assert said in problem and problem.startswith("1: ")
    assert "evidence__badge" in page and "plot__picture" not in page


def test_a_title_states_no_measurement(drawn):
    page, (problem,) = drawn('"[gpu | float16 | stride * GB/s]"', AXES.replace("more", "3.1 ms"))
    assert "states a number" in problem


def test_a_title_and_axes_are_asked_for(drawn):
    _, (problem,) = drawn('"stride * GB/s"', 'x="stride"')
    assert "missing a required argument: 'title'" in problem


def test_a_missing_or_stale_capture_is_told_and_the_lint_resolves_plots(repo, put, tmp_path):
    page = f'{{{{ plot("ch01/a", "n *", {AXES}, runner="gpu") }}}}\n'
    repository = repo({"snippets/ch01/a.py": GPU, "docs/page.md": page})
    context = Context(repository, {"torch": "2.13.0"}, str)
    expanded = expand(page, context)
    assert "missing" in expanded.problems[0] and "evidence__badge" in "".join(expanded.blocks.values())
    put(repository, "ch01/a", "gpu", text="n 1: 2\n", source="sha256:0")
    expanded = expand(page, Context(repo({}), {"torch": "2.13.0"}, str))
    assert "stale" in expanded.problems[0] and "plot__picture" in "".join(expanded.blocks.values())
    assert not [error for error in lint.check(repository) if "no page uses" in error]
    put(repository, "ch01/a", "gpu", text="m 1: 2\n")
    assert any("docs/page.md:1: plot of ch01/a: no label fits 'n *'" in error for error in lint.check(repo({})))


@pytest.mark.parametrize(
    ("patterns", "told"),
    [
        (["STEPS * two kernels ms", "STEPS * one kernel ms"], ["two kernels", "one kernel"]),
        (["BLOCK * warps 2", "BLOCK * warps 8"], ["warps 2", "warps 8"]),
        (["float32, stride * GB/s", "float16, stride * GB/s"], ["float32", "float16"]),
        (["copy * ms", "fused copy * ms"], ["copy * ms".replace(" *", ""), "fused"]),
        (["n * ms"], ["n ms"]),
    ],
)
def test_series_go_by_what_tells_them_apart(patterns, told):
    assert names(patterns) == told


numbers = st.floats(allow_nan=False, allow_infinity=False, width=32).filter(lambda v: not v or 1e-30 < abs(v) < 1e30)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.dictionaries(st.integers(1, 10**6), numbers, min_size=1, max_size=12), min_size=1, max_size=MOST_SERIES),
    st.sampled_from(["", "x", "y", "xy"]), st.booleans(), st.none() | numbers,
)
def test_a_drawing_keeps_within_its_frame(values, log, bars, limit):
    series = tuple(
        Series(f"s{i}", tuple(Point(f"n {x}", str(x), repr(y), abs(y) if "y" in log else y) for x, y in of.items()))
        for i, of in enumerate(values)
    )
    top = None if limit is None else Point("top", "", repr(limit), abs(limit) if "y" in log else limit)
    if bars:
        log = log.replace("x", "")
    if "y" in log and not any(point.y for of in series for point in of.points):
        return
    chart = Chart("t", "x", "y", series, top, bars, log)
    check(chart)
    root = ElementTree.fromstring(svg(chart, "p"))
    height = float(root.get("height"))
    for mark in root.iter("{http://www.w3.org/2000/svg}path"):
        if place := mark.get("transform"):
            x, y = map(float, re.findall(r"[-\d.]+", place))
            assert 0 <= x <= WIDTH and 0 <= y <= height
    for bar in root.iter("{http://www.w3.org/2000/svg}rect"):
        x, wide = float(bar.get("x")), float(bar.get("width"))
        assert 0 <= x and x + wide <= WIDTH and math.isfinite(wide)
    drawn = sum(len(of.points) for of in series)
    kind = "rect" if bars else "path[@transform]"
    assert len(root.findall(f".//{{http://www.w3.org/2000/svg}}{kind}")) == drawn
