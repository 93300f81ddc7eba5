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
from executed.plots import KINDS, MOST_SERIES, WIDTH, Chart, Point, Series, check, names, svg
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
        ('"[gpu | float16 | stride * GB/s]", kind="pie"', 'kind is "lines", "bars" or "points"'),
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


SVG = "{http://www.w3.org/2000/svg}"
numbers = st.floats(allow_nan=False, allow_infinity=False, width=32).filter(lambda v: not v or 1e-30 < abs(v) < 1e30)


@settings(suppress_health_check=[HealthCheck.too_slow])
@given(
    st.lists(st.dictionaries(st.integers(1, 10**6), numbers, min_size=1, max_size=12), min_size=1, max_size=MOST_SERIES),
    st.sampled_from(["", "x", "y", "xy"]), st.sampled_from(KINDS), st.none() | numbers, st.none() | st.floats(1e-9, 1e9),
)
def test_a_drawing_keeps_within_its_frame(values, log, kind, limit, slope):
    series = tuple(
        Series(f"s{i}", tuple(Point(f"n {x}", str(x), repr(y), abs(y) if "y" in log else y) for x, y in of.items()))
        for i, of in enumerate(values)
    )
    top = None if limit is None else Point("top", "", repr(limit), abs(limit) if "y" in log else limit)
    if kind == "bars":
        log = log.replace("x", "")
    rises = Point("rises", "", repr(slope), slope) if slope and log == "xy" and kind != "bars" else None
    if "y" in log and not any(point.y for of in series for point in of.points):
        return
    chart = Chart("t", "x", "y", series, (top,) if top else (), rises, kind, log)
    check(chart)
    root = ElementTree.fromstring(svg(chart, "p"))
    height = float(root.get("height"))
    for mark in root.iter("{http://www.w3.org/2000/svg}path"):
        if place := mark.get("transform"):
            x, y = map(float, re.findall(r"[-\d.]+", place))
            assert 0 <= x <= WIDTH and 0 <= y <= height
        elif mark.get("class") == "plot__ceiling":
            places = re.findall(r"[ML]([-\d.]+) ([-\d.]+)", mark.get("d"))
            assert all(0 <= float(x) <= WIDTH and 0 <= float(y) <= height for x, y in places)
    for bar in root.iter("{http://www.w3.org/2000/svg}rect"):
        x, wide = float(bar.get("x")), float(bar.get("width"))
        assert 0 <= x and x + wide <= WIDTH and math.isfinite(wide)
    drawn = sum(len(of.points) for of in series)
    shape = "rect" if kind == "bars" else "path[@transform]"
    assert len(root.findall(f".//{{http://www.w3.org/2000/svg}}{shape}")) == drawn


@given(st.lists(st.tuples(st.floats(20, 2000), st.floats(5, 60)), min_size=1, max_size=3))
def test_the_name_of_a_ceiling_covers_no_mark_where_there_is_room(places):
    series = Series("s", tuple(Point(f"k{i}", f"{x}", f"{y}", y) for i, (x, y) in enumerate(places)))
    far = Series("far", (Point("f", "0.1", "0.3", 0.3), Point("g", "3000", "0.001", 0.001)))
    levels = tuple(Point(name, "", str(y), y) for name, y in (("float32 peak TFLOP/s", 64.2), ("bfloat16 peak", 795)))
    root = ElementTree.fromstring(svg(Chart("t", "x", "y", (series, far), levels, Point("s", "", "4", 4.0), "points", "xy"), "p"))
    marks = [tuple(map(float, re.findall(r"[-\d.]+", m.get("transform")))) for m in root.iter(f"{SVG}path") if m.get("transform")]
    for text in (t for t in root.iter(f"{SVG}text") if t.get("class") == "plot__ceiling-name"):
        right, base = float(text.get("x")), float(text.get("y"))
        left = right - 6.9 * len(text.text)
        assert not [(x, y) for x, y in marks if left < x < right and base - 11 < y < base], text.text


KERNELS = """\
== rows ==
copy TB/s: 4
float32 peak: 60
bfloat16 peak: 700
ch15.softmax_kernel: 0.98 of its roof, operations/byte 1.25, TOP/s 4.9
ch15.norm_kernel: 0.50 of its roof, operations/byte 1.25, TOP/s 2.5
== tiles ==
ch16.attention_kernel: 0.69 of its roof, operations/byte 1024, TOP/s 480
"""
SOFTMAX = "import triton\n\n\n# --8<-- [start:kernel]\n@triton.jit\ndef softmax_kernel(x_ptr):\n    pass\n# --8<-- [end:kernel]\n"
NORM = "import triton\n\n\n@triton.jit\ndef norm_kernel(x_ptr):\n    pass\n"
ATTENTION = "from triton.experimental import gluon\n\n\n@gluon.jit\ndef attention_kernel(x_ptr):\n    pass\n"
ROOF = 'kind="points", log="xy", title="t", x="operations/byte", y="TOP/s"'


@pytest.fixture
def roofline(repo, put):
    """The HTML of a plot of ``KERNELS``, and what is wrong with it."""
    repository = repo({
        "snippets/ch19/a.py": GPU, "snippets/ch15_rows/softmax.py": SOFTMAX, "snippets/ch15_rows/norm.py": NORM,
        "snippets/ch16/attention.py": ATTENTION,
        "docs/15-rows.md": '# Rows\n\n## 15.1 stable\n\n```python\n--8<-- "ch15_rows/softmax.py:kernel"\n```\n',
        "docs/16-attention.md": "# Attention\n",
    })
    put(repository, "ch19/a", "gpu", text=KERNELS)
    chapters = ((15, "Rows", "15-rows.md"), (16, "Attention & more", "16-attention.md"))

    def draw(series: str, rest: str = "") -> tuple[str, tuple[str, ...]]:
        call = f'{{{{ plot("ch19/a", {series}, {ROOF}, runner="gpu"{rest}) }}}}'
        expanded = expand(call, Context(repository, {"torch": "2.13.0"}, lambda path: f"../{path}", chapters))
        return "".join(expanded.blocks.values()), expanded.problems

    return draw


def test_a_point_leads_to_the_section_that_shows_its_kernel_or_to_its_chapter(roofline):
    page, problems = roofline('"[rows | ch15.*]", "[tiles | ch16.*]"')
    assert problems == ()
    links = picture(page).findall(".//{http://www.w3.org/2000/svg}a")
    assert [(link.get("href"), link.get("aria-label")) for link in links] == [
        ("../15-rows.md#151-stable", "ch15.softmax_kernel: 15.1 Stable"),
        ("../15-rows.md", "ch15.norm_kernel: Rows"),
        ("../16-attention.md", "ch16.attention_kernel: Attention & more"),
    ]
    assert picture(page).get("role") == "group", "an image would hide its links"
    assert re.findall(r'<a href="([^"]*)">(ch[^<]*)</a>', page) == [
        (link.get("href"), link.get("aria-label").partition(":")[0]) for link in links
    ]


def test_a_point_stands_where_both_its_fields_say(roofline):
    page, _ = roofline('"[rows | ch15.*]", "[tiles | ch16.*]"')
    (x1, y1), (x2, y2) = marks(page)
    ((x3, y3),) = marks(page, 1)
    decade = (y2 - y1) / math.log10(4.9 / 2.5)
    assert x1 == x2 and y1 - y3 == pytest.approx(decade * math.log10(480 / 4.9), abs=0.5)
    assert x3 > x1
    assert ["ch15.norm_kernel</a> <span>Rows</span>", "0.50", "1.25", "2.5"] == [
        cell.removeprefix('<a href="../15-rows.md">') for cell in rows(page)[3]
    ]
    assert "ch15.norm_kernel: of its roof 0.50, operations/byte 1.25, TOP/s 2.5" in page


def test_a_roof_rises_until_it_meets_its_ceilings(roofline):
    page, problems = roofline(
        '"[rows | ch15.*]", "[tiles | ch16.*]"', ', slope="[rows | copy TB/s]", ceiling="[rows | * peak]"'
    )
    assert problems == ()
    paths = [path.get("d") for path in picture(page).iter("{http://www.w3.org/2000/svg}path") if path.get("class") == "plot__ceiling"]
    low, high, (start, end) = *paths[:2], re.findall(r"([\d.]+) ([\d.]+)", paths[2])
    at = [tuple(map(float, re.match(r"M([\d.]+) ([\d.]+)H", path).groups())) for path in (low, high)]
    assert at[1] == tuple(map(float, end)), "the slope ends where the highest ceiling begins"
    (x0, y0), (x1, y1) = tuple(map(float, start)), at[1]
    assert (at[0][1] - y0) / (at[0][0] - x0) == pytest.approx((y1 - y0) / (x1 - x0), rel=0.01)
    texts = [text.text for text in picture(page).iter("{http://www.w3.org/2000/svg}text")]
    assert "float32 peak: 60" in texts and "bfloat16 peak: 700" in texts
    assert ["copy TB/s", "4"] in rows(page) and ["bfloat16 peak", "700"] in rows(page)
    assert "copy TB/s: 4, times x" in page and "A dashed line rises as copy TB/s, 4, times operations/byte." in page


@pytest.mark.parametrize(
    ("series", "rest", "said"),
    [
        ('"[rows | * peak]"', "", "label 'float32 peak' has 0 fields"),
        ('"[rows | ch14.*]"', "", "no label fits 'ch14.*'"),
        ('"[rows | ch15.*]"', ', slope="[rows | * TB/s]", ceiling="[rows | * rate]"', "no label fits '* rate'"),
        ('"[rows | ch15.*]"', ', slope="[rows | * peak]"', "'* peak' fits 2 labels; there is one slope"),
        ('"[rows | ch15.*]"', ', slope="[rows | paste]"', "label 'paste' is printed 0 times"),
    ],
)
def test_a_roofline_that_cannot_be_drawn_is_refused(roofline, series, rest, said):
    page, (problem,) = roofline(series, rest)
    assert said in problem and "plot__picture" not in page


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("ch15.copy_kernel", "the snippets that define it are: none"),
        ("ch17.softmax_kernel", "the snippets that define it are: none"),
        ("ch15.twice_kernel", "the snippets that define it are: ch15_rows/again, ch15_rows/twice"),
        ("softmax", "a point is named after a kernel, such as ch15.softmax_kernel; 'softmax' is not"),
    ],
)
def test_a_point_that_names_no_kernel_is_refused_by_the_lint(repo, put, line, said):
    twice = NORM.replace("norm_kernel", "twice_kernel")
    repository = repo({
        "snippets/ch19/a.py": GPU, "snippets/ch15_rows/softmax.py": SOFTMAX, "snippets/ch15_rows/twice.py": twice,
        "snippets/ch15_rows/again.py": twice, "docs/page.md": f'{{{{ plot("ch19/a", "*", {ROOF}, runner="gpu") }}}}\n',
    })
    put(repository, "ch19/a", "gpu", text=f"{line}: operations/byte 1, TOP/s 2\n")
    assert any("docs/page.md:1: plot of ch19/a" in error and said in error for error in lint.check(repository))


@pytest.mark.parametrize("kind", ["lines", "bars"])
def test_a_slope_belongs_to_logarithmic_axes(drawn, kind):
    page, (problem,) = drawn(f'"[gpu | float16 | stride * GB/s]", slope="[gpu | copy GB/s]", kind="{kind}"')
    assert 'log="xy"' in problem and "plot__picture" not in page
