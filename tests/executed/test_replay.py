"""A recording is read back as it was written, and drawn the same way every time."""

import re
import xml.etree.ElementTree as ElementTree
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st

from executed import recording, replay
from executed.context import Context
from executed.lint import check
from executed.recording import (
    MASKED, OUTSIDE, TOUCHED, Event, Lane, Launch, RecordingError, Tensor, compressed, contiguous, format_recording, parse,
)
from executed.render import expand

KERNEL = """\
# /// capture
# runners = ["replay"]
# ///
import triton


@triton.jit
def k(
    x_ptr,  # what it reads
    BLOCK,  # <lanes>
):
    if x_ptr < 1 and "<b>&":
        x = load(x_ptr)
    store(x_ptr, x)


@triton.jit
def other(x_ptr):
    store(x_ptr, 1)
"""


def tensor(name="x_ptr", shape=(8,), memory="A", **rest) -> Tensor:
    return Tensor(name, memory, "float32", shape, rest.pop("strides", contiguous(shape)), **rest)


def event(kind: str, lanes: str, program=(0,), line=7, name="x_ptr") -> Event:
    return Event(program, line, kind, name, (), recording._lanes(lanes))


def launch(*events: Event, tensors=(tensor(),), grid=(2,), number=1, kernel="k") -> Launch:
    return Launch(number, kernel, "BLOCK=4", grid, tuple(tensors), events)


TAIL = launch(event("load", "0-3"), event("store", "0-3", line=8), event("load", "4-7 ~8-9", (1,)), event("store", "4-7 ~8-9", (1,), 8))
CLASH = launch(event("store", "0-3"), event("store", "2-5 !9", (1,)))


@given(st.lists(st.builds(Lane, st.integers(-9, 40) | st.integers(), st.sampled_from([TOUCHED, MASKED, OUTSIDE]))))
def test_lanes_survive_compression(lanes):
    text = compressed(lanes)
    assert not lanes or recording._lanes(text) == tuple(lanes)


@pytest.mark.parametrize(("lanes", "text"), [
    ([0, 1, 2, 3], "0-3"), ([0, 2, 4], "0-4:2"), ([3, 2, 1], "3-1:-1"), ([5, 5, 5], "5x3"), ([-2, -1], "-2--1"),
    ([0, 1, 8, 9], "0-1 8-9"), ([0, 7, 8, 9], "0 7-9"), ([4], "4"), ([0, 1, 2, 2, 2], "0-2 2x2"),
])
def test_runs_are_short_and_plain(lanes, text):
    assert compressed(map(Lane, lanes)) == text


_SHAPES = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)
_EVENTS = st.builds(
    Event, st.tuples(st.integers(0, 9)), st.integers(1, 99), st.sampled_from(["load", "store", "atomic_add"]),
    st.just("x_ptr"), st.just(()) | st.just((2, 2)),
    st.lists(st.builds(Lane, st.integers(-3, 20), st.sampled_from(["", "~", "!"])), min_size=1, max_size=6).map(tuple),
)
_LAUNCHES = st.builds(
    lambda number, shape, start, passed, events: Launch(
        number, "kernel", "A=1, B=x == y", (3, 2), (tensor(shape=shape, start=start, passed=passed),), tuple(events)
    ),
    st.integers(1, 9), _SHAPES, st.integers(0, 9), st.none() | st.just("x"), st.lists(_EVENTS, max_size=5),
)


@given(st.lists(_LAUNCHES, min_size=1, max_size=3))
def test_a_recording_is_read_back_as_it_was_written(launches):
    assert parse(format_recording(launches)) == launches


@pytest.mark.parametrize(("old", "new", "why"), [
    ("== launch 1", "== lunch 1", "line 1 of the recording: '== lunch 1"),
    ("load x_ptr 0-3", "load y_ptr 0-3", "line 4 of the recording: .*y_ptr is no tensor of this launch"),
    ("load x_ptr 0-3", "load x_ptr 0-3:0", "'0-3:0' never arrives"),
    ("load x_ptr 0-3", f"load x_ptr 0-{10**30}", "more than 65,536 lanes"),
    ("load x_ptr 0-3", "load x_ptr 0-", "'0-' is no run of offsets"),
    ("program 0, line 7: load x_ptr 0-3", "program 0 loads", "line 4 of the recording: 'program 0 loads' is no line of one"),
    ("elements loaded: 8", "elements loaded: 9", "does not say what its accesses add up to"),
    ("grid: 2", "grid: two", "line 2 of the recording: 'grid: two' is no line of one"),
])
def test_what_is_no_recording_is_refused(old, new, why):
    text = format_recording([TAIL])
    assert old in text
    with pytest.raises(RecordingError, match=why):
        parse(text.replace(old, new, 1))


@pytest.mark.parametrize("text", ["", "\n", "refused: it is too large\n"])
def test_nothing_is_no_recording(text):
    with pytest.raises(RecordingError):
        parse(text)


def test_conflicts_need_two_programs_and_a_plain_store():
    assert CLASH.conflicts == {("A", 2): 1, ("A", 3): 1}
    assert launch(event("store", "0"), event("store", "0")).conflicts == {}
    assert launch(event("store", "~0"), event("store", "0", (1,))).conflicts == {}
    assert launch(event("atomic_add", "0"), event("atomic_add", "0", (1,))).conflicts == {}
    assert launch(event("atomic_add", "0"), event("store", "0", (1,))).conflicts == {("A", 0): 1}
    # The same memory under two names, one of which begins later.
    two = (tensor("a", memory="B"), tensor("b", memory="B", start=3, shape=(5,)))
    assert launch(event("store", "3", name="a"), event("store", "0", (1,), name="b"), tensors=two).conflicts == {("B", 3): 1}


def shown(drawn: replay.Picture, step: int) -> list[tuple[str, str]]:
    return [cell.at(step) for cell in drawn.cells]


def test_cells_remember_who_touched_them_last():
    drawn = replay.picture([TAIL])
    assert len(drawn.cells) == 10 and [cell.inside for cell in drawn.cells] == [True] * 8 + [False] * 2
    assert shown(drawn, 0) == [("replay__cell", "")] * 8 + [("replay__cell stray", "")] * 2
    assert shown(drawn, 1)[0] == ("replay__cell load p0 now", "0")
    assert shown(drawn, 2)[0] == ("replay__cell store p0 now", "0")
    assert shown(drawn, 4)[0] == ("replay__cell store p0", "0")
    assert shown(drawn, 2)[8] == ("replay__cell stray", "")
    assert shown(drawn, 3)[8] == ("replay__cell stray masked p1 now", "1")
    assert shown(drawn, 4)[4] == ("replay__cell store p1 now", "1")


def test_a_masked_lane_does_not_hide_who_touched_the_element():
    drawn = replay.picture([launch(event("load", "0-3"), event("load", "0 ~1-3", (1,)), event("store", "0", (1,)))])
    assert shown(drawn, 2)[:2] == [("replay__cell load p1 now", "1"), ("replay__cell masked p1 now", "1")]
    assert shown(drawn, 3)[:2] == [("replay__cell store p1 now", "1"), ("replay__cell load p0", "0")]


def test_out_of_bounds_and_conflicts_are_marked_where_they_happen():
    drawn = replay.picture([CLASH])
    assert shown(drawn, 1)[2] == ("replay__cell store p0 now", "0")
    assert shown(drawn, 2)[1:3] == [("replay__cell store p0", "0"), ("replay__cell store conflict p1 now", "1!")]
    assert shown(drawn, 2)[-1] == ("replay__cell stray store outside p1 now", "1!")
    assert not drawn.cells[-1].inside and drawn.kinds >= {"conflict", "outside", "store"}
    assert replay.words(drawn.steps[1]) == (
        "Program 1, line 7: stores x_ptr 2–5. Out of bounds: 9. Conflict: another program has stored 2–3 too."
    )


@pytest.mark.parametrize(("of", "offsets", "words"), [
    (tensor(), [0, 1, 2, 3], "0–3"), (tensor(), [3, 1], "1, 3"), (tensor(), [0, 2, 4, 6], "0 to 6 in steps of 2"),
    (tensor(shape=(4, 4)), [0, 1, 4, 5, 12], "rows 0–1, columns 0–1; row 3, column 0"), (tensor(), [-3, -2], "-3 to -2"), (tensor(), [], ""),
])
def test_elements_in_words(of, offsets, words):
    assert replay.elements(of, offsets) == words


def test_cells_of_a_picture_do_not_lie_on_each_other():
    shapes = [(5,), (16,), (40,), (3, 4), (2, 3, 4), (1, 32), (1,)]
    for shape in shapes:
        for lanes in ("0", "-2--1 0 !90", "0 ~16-31", "~-40--1", "!100-130:2"):
            drawn = replay.picture([launch(event("load", lanes), tensors=(tensor(shape=shape), tensor("out_ptr", shape)))])
            places = [(cell.x, cell.y) for cell in drawn.cells]
            assert len(set(places)) == len(places)
            for i, (x, y) in enumerate(places):
                assert 0 <= x <= drawn.width - replay.CELL and 0 <= y <= drawn.height - replay.CELL
                assert all(abs(x - u) >= replay.CELL or abs(y - v) >= replay.CELL for u, v in places[:i])


def test_a_row_of_the_shape_is_a_row_of_the_picture():
    drawn = replay.picture([launch(event("load", "0-3 8-11"), tensors=(tensor(shape=(4, 8)),))])
    rows = {cell.y for cell in drawn.cells}
    assert len(rows) == 4 and all(sum(cell.y == y for cell in drawn.cells) == 8 for y in rows)


def test_a_view_with_strides_shows_its_own_elements():
    of = tensor(shape=(2, 3), strides=(1, 2))
    assert of.offsets == (0, 2, 4, 1, 3, 5)
    cells = replay.picture([launch(event("load", "2"), tensors=(of,))]).cells
    assert [bool(cell.steps) for cell in cells] == [False, True, False, False, False, False]
    assert tensor(shape=(3,), strides=(0,)).known == {0}


@given(st.lists(_LAUNCHES, min_size=1, max_size=3), st.integers(0, 16))
def test_every_picture_is_valid_xml_and_the_same_every_time(launches, step):
    drawn = replay.picture(launches)
    text = replay.svg(drawn, step, "name")
    root = ElementTree.fromstring(text)
    assert len([g for g in root if g.tag.endswith("}g")]) == len(drawn.cells)
    assert text == replay.svg(replay.picture(parse(format_recording(launches))), step, "name")


def test_names_are_escaped():
    hostile = Launch(1, "k", 'A=<b>&"', (1,), (tensor('<i>&"'),), (event("load", "0", name='<i>&"'),))
    text = replay.svg(replay.picture([hostile, hostile]), 1, "name")
    ElementTree.fromstring(text)
    assert "<b>" not in text and "<i>" not in text and "&lt;i&gt;" in text


class _Balanced(HTMLParser):
    VOID = {"input", "br", "hr", "img"}

    def __init__(self, page: str):
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.feed(page)
        assert self.open == []

    def handle_starttag(self, tag, attributes):
        self.ids += [value for key, value in attributes if key == "id"]
        self.open += [] if tag in self.VOID else [tag]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def page_of(repository, text: str) -> tuple[str, tuple[str, ...]]:
    expanded = expand(text, Context(repository, {"torch": "2.13.0"}, lambda path: f"../{path}"))
    page = expanded.text
    for token, block in expanded.blocks.items():
        page = page.replace(token, block)
    return page, expanded.problems


@pytest.fixture
def book(repo, put):
    repository = repo({"snippets/ch01/a.py": KERNEL, "docs/page.md": '{{ replay("ch01/a") }}\n'})
    second = launch(event("store", "0", line=3), number=2, kernel="other")
    put(repository, "ch01/a", "replay", text=format_recording([TAIL, second]))
    return repository


def test_a_page_has_source_pictures_and_table(book):
    page, problems = page_of(book, '{{ replay("ch01/a", launch="1") }}\n\n{{ replay("ch01/a", launch="1") }}\n')
    assert problems == ()
    parsed = _Balanced(page)
    assert len(parsed.ids) == len(set(parsed.ids))
    for picture in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(picture)
    numbers = re.findall(r'replay__number" aria-hidden="true">(\d+)</span>([^<]*)', page)[:4]
    assert [number for number, _ in numbers] == ["2", "6", "7", "8"]
    assert numbers[0][1] == "def k(…):" and "&lt;b&gt;&amp;" in page and "<b>" not in page
    marked = r'<span class="replay__line replay__line--access" data-line="(k-\d+)">'
    assert re.findall(marked, page)[:2] == ["k-7", "k-8"]
    assert "After step 1 of 4. Program 0, line 7: loads x_ptr 0–3." in page
    assert "After step 4 of 4. Program 1, line 8: stores x_ptr 4–7. 2 lanes masked off: 8–9." in page
    assert '<td>4</td><td>1</td><td>8</td><td>store</td><td>x_ptr</td><td>4–7</td><td>8–9</td></tr>' in page
    assert "Out of bounds" not in page and "scripts/build --force --runner replay ch01/a" in page


def test_several_launches_stand_under_each_other(book):
    page, problems = page_of(book, '{{ replay("ch01/a") }}\n')
    assert problems == () and page_of(book, '{{ replay("ch01/a", launch="1-2") }}\n') == (page, ())
    assert "launch 1: k(BLOCK=4), 2 programs" in page and "launch 2: other(BLOCK=4), 2 programs" in page
    # Of several kernels stand the lines that access memory.
    assert re.findall(r'aria-hidden="true">(\d+)</span>', page) == ["2", "7", "8", "2", "3"]
    assert "Launch 2, other. Program 0, line 3: stores x_ptr 0." in page


@pytest.mark.parametrize(("call", "why"), [
    ('replay("ch01/a", launch="3")', 'ch01/a: launch \'3\' is not in its recording of 2; it reads "1", or "1-3" for several'),
    ('replay("ch01/a", launch="2-1")', "ch01/a: launch '2-1' is not in its recording"),
    ('replay("ch01/a", launch="all")', "ch01/a: launch 'all' is not in its recording"),
    ('replay("ch01/b")', "there is no snippet 'ch01/b'"),
    ('replay("ch01/a", step="1")', "replay: got an unexpected keyword argument 'step'"),
])
def test_errors_name_their_line(book, call, why):
    text = f"# Title\n\n{{{{ {call} }}}}\n"
    _, (problem, *_) = page_of(book, text)
    assert problem.startswith("3: ") and why in problem
    (book.docs / "page.md").write_text(text, "utf-8")
    assert any(error.startswith(f"{book.docs / 'page.md'}:3: ") and why in error for error in check(book))


def test_a_replay_stands_alone_on_its_line(book):
    _, (problem,) = page_of(book, 'See {{ replay("ch01/a") }}.\n')
    assert "replay(…) is a block: put it alone on its line" in problem


@pytest.mark.parametrize(("text", "why"), [
    (format_recording([launch(*[event("load", "0")] * 201)]), "201 accesses are too many to draw (200); choose fewer launches"),
    (format_recording([launch(event("load", "0"), tensors=(tensor(shape=(600,)),))]), "x_ptr of shape 600 is too large to draw"),
    (format_recording([launch(event("load", "0"), tensors=(tensor(shape=(2, 40)),))]), "x_ptr of shape 2x40 is too large"),
    (format_recording([launch(event("load", "0"), kernel="gone")]), "defines a function gone"),
    ("refused: it is <too> large\n", "it is <too> large"),
])
def test_what_cannot_be_drawn_is_an_error(book, put, text, why):
    put(book, "ch01/a", "replay", text=text)
    page, problems = page_of(book, '{{ replay("ch01/a") }}\n')
    assert any(why in problem for problem in problems) and "<too>" not in page
    assert any(why in error for error in check(book))


def test_a_missing_or_stale_recording_carries_a_badge(repo, put):
    repository = repo({"snippets/ch01/a.py": KERNEL, "docs/page.md": '{{ replay("ch01/a") }}\n'})
    page, (problem,) = page_of(repository, '{{ replay("ch01/a") }}\n')
    assert "ch01/a (replay) is missing" in problem and "evidence__badge" in page
    assert check(repository) == []
    put(repository, "ch01/a", "replay", text=format_recording([TAIL]), source="sha256:old")
    repository = repo({})
    page, (problem,) = page_of(repository, '{{ replay("ch01/a") }}\n')
    assert "ch01/a (replay) is stale" in problem and "evidence__badge" in page and "<svg" in page


def test_a_recording_is_no_output_of_the_program(repo, put):
    both = KERNEL.replace('["replay"]', '["interpreter", "replay"]')
    repository = repo({"snippets/ch01/a.py": both, "docs/page.md": '{{ outputs("ch01/a") }}\n'})
    put(repository, "ch01/a", text="n: 1\n")
    put(repository, "ch01/a", "replay", text=format_recording([TAIL]))
    assert check(repository) == []  # The two do not have to agree.
    page, problems = page_of(repository, '{{ outputs("ch01/a") }} \n\n{{ value("ch01/a", "n") }}\n')
    assert problems == () and "n: 1" in page and "launch" not in page


def test_a_value_of_a_recording_leads_to_its_replay(book):
    section = 'runner="replay", section="launch 1: k(BLOCK=4)"'
    call = f'{{{{ value("ch01/a", "lanes masked in loads", {section}) }}}}'
    page, problems = page_of(book, f'{call}\n\n{{{{ replay("ch01/a") }}}}\n')
    assert problems == ()
    anchor = re.search(r'<a class="value"[^>]* href="#([^"]+)">2</a>', page)[1]
    assert f'<div class="evidence replay" id="{anchor}"' in page
