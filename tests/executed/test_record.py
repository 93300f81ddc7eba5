"""What the replay runner records of small kernels, one a kind of access."""

from pathlib import Path

import pytest

from executed import judge, run, runners
from executed.discover import discover
from executed.recording import MASKED, MOST_EVENTS, OUTSIDE, TOUCHED, Lane, Launch, parse
from executed.snippet import Settings, Snippet

REPLAY = runners.RUNNERS["replay"]
HEAD = """\
import collections
import torch
import triton
import triton.language as tl

@triton.jit
def copy(x_ptr, out_ptr, n, STEP: tl.constexpr, BLOCK: tl.constexpr):
    at = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + at * STEP, mask=at < n)
    tl.store(out_ptr + at, x, mask=at < n)

"""
# A name of its own for each: they run side by side.
PROGRAMS = {
    "tail": "x = torch.arange(5.0)\nout = torch.empty(5)\ncopy[(3,)](x, out, 5, 1, 2)\nprint('not in the recording')",
    "strided": "x = torch.arange(8.0)\ncopy[(1,)](x[::2], torch.empty(4), 4, 2, 4)",
    "past_the_end": (
        "whole = torch.arange(8.0)\nhead, result = whole[2:6], torch.empty(8)\ncopy[(1,)](head, result[:4], 5, 1, 8)"
    ),
    "conflict": """
@triton.jit
def clash(out_ptr):
    tl.store(out_ptr + tl.arange(0, 2), 1.0)
    tl.store(out_ptr + 2 + tl.program_id(0), 1.0)

out = torch.zeros(4)
clash[(2,)](out)
""",
    "atomic": """
@triton.jit
def count(out_ptr, lock_ptr):
    tl.atomic_add(out_ptr + tl.arange(0, 2), 1.0, mask=tl.arange(0, 2) < 1)
    tl.atomic_max(lock_ptr, 2)
    tl.atomic_cas(lock_ptr, 0, 1)

count[(2,)](torch.zeros(2), torch.zeros(1, dtype=torch.int32))
""",
    "dot": """
@triton.jit
def square(a_ptr, out_ptr):
    rows, columns = tl.arange(0, 4), tl.arange(0, 4)
    at = rows[:, None] * 4 + columns[None, :]
    a = tl.load(a_ptr + at)
    tl.store(out_ptr + at, tl.dot(a, a))

square[(1, 1)](torch.ones(4, 4), torch.empty(4, 4))
""",
    "grid": """
@triton.jit
def where(out_ptr):
    tl.store(out_ptr + tl.program_id(0) * 2 + tl.program_id(1), 1)

where[(2, 2)](torch.zeros(2, 2, dtype=torch.int8))
""",
    "helper": """
@triton.jit
def double(x_ptr):
    return tl.load(x_ptr) * 2

@triton.autotune([triton.Config({"BLOCK": 4})], key=[])
@triton.jit
def calls(
    x_ptr,
    BLOCK: tl.constexpr,
):
    x = double(
        x_ptr + 1
    )
    for i in range(2):
        x_ptr += 1
        tl.store(x_ptr, x)

calls[(1,)](torch.zeros(4))
""",
    "in_place": "x = torch.zeros(4)\ncopy[(1,)](x, x, 4, 1, 4)\ncopy[(1,)](x, x[1:], 3, 1, 4)",
    "bundled": """
Pair = collections.namedtuple("Pair", "first second")

@triton.jit
def pair(both, n):
    tl.store(both.second + tl.arange(0, 2), tl.load(both.first + tl.arange(0, 2)))

pair[(1,)](Pair(torch.zeros(2), torch.zeros(2)), 2)
""",
    "block_pointer": """
@triton.jit
def blocks(x_ptr):
    p = tl.make_block_ptr(x_ptr, (3, 3), (3, 1), (0, 0), (2, 2), (1, 0))
    p = tl.advance(p, (0, 2))
    tl.store(p, tl.load(p, boundary_check=(0, 1)), boundary_check=(0, 1))

blocks[(1,)](torch.zeros(3, 3))
""",
    "descriptor": """
from triton.tools.tensor_descriptor import TensorDescriptor

@triton.jit
def described(desc):
    desc.store([0, 4], desc.load([2, 0]))

described[(1,)](TensorDescriptor.from_tensor(torch.zeros(4, 8), [2, 4]))
""",
    "from_memory": """
@triton.jit
def follows(table_ptr, x_ptr):
    p = tl.load(table_ptr).to(tl.pointer_type(tl.float32))
    tl.store(p + 1, 1.0)

x = torch.zeros(2)
follows[(1,)](torch.tensor([x.data_ptr()]), x)
""",
    "scalar": "x = torch.tensor(1.0)\ncopy[(1,)](x, torch.empty(1, dtype=torch.bool), 1, 1, 1)",
    "raises": "x = torch.zeros(2)\ncopy[(1,)](x, x, 2, 1, 2)\nraise ValueError('the lesson')",
    "unknown": """
@triton.jit
def picks(a_ptr, b_ptr):
    which = tl.arange(0, 2) < 1
    tl.store(tl.where(which, a_ptr, b_ptr) + tl.arange(0, 2), 1.0)

picks[(1,)](torch.zeros(2), torch.zeros(2))
""",
    "reinterpreted": """
@triton.jit
def bytes_of(x_ptr):
    tl.store(x_ptr.to(tl.pointer_type(tl.int8)), 1)

bytes_of[(1,)](torch.zeros(2))
""",
    "many": "x = torch.zeros(1)\ncopy[(3000,)](x, x, 0, 1, 1)",
    "large": "copy[(1,)](torch.zeros(70_000), torch.zeros(2), 1, 1, 2)",
    "wide": "x = torch.zeros(32768)\nfor i in range(2):\n    copy[(1,)](x, x, 32768, 1, 32768)",
    "no_launch": "print('nothing')",
    "caught": "try:\n    copy[(1,)](torch.zeros(70_000), torch.zeros(2), 1, 1, 2)\nexcept Exception:\n    pass",
}


def snippet(name: str, **settings) -> Snippet:
    return Snippet(f"ch00/{name}", Path(f"{name}.py"), "", Settings(runners=("replay",), **settings))


@pytest.fixture(scope="module")
def results() -> dict[str, run.Result]:
    texts = PROGRAMS | {"again": PROGRAMS["in_place"]}
    programs = [run.Program(snippet(name), HEAD + text, REPLAY) for name, text in texts.items()]
    return {r.snippet.stem: r for r in run.run(programs)}


def only(results, name: str) -> Launch:
    (launch,) = parse(results[name].text)
    return launch


def accesses(launch: Launch) -> list[tuple]:
    return [(e.program, e.line, e.kind, e.tensor, "".join(l.state or "." for l in e.lanes), [l.offset for l in e.lanes])
            for e in launch.events]


def test_a_tail_is_masked_and_a_line_an_access(results):
    assert results["tail"].text == """\
== launch 1: copy(STEP=1, BLOCK=2) ==
grid: 3
tensor x_ptr: memory A, float32, shape 5, passed as x
tensor out_ptr: memory B, float32, shape 5, passed as out
program 0, line 4: load x_ptr 0-1
program 0, line 5: store out_ptr 0-1
program 1, line 4: load x_ptr 2-3
program 1, line 5: store out_ptr 2-3
program 2, line 4: load x_ptr 4 ~5
program 2, line 5: store out_ptr 4 ~5
elements loaded: 5
elements stored: 5
lanes masked in loads: 1
lanes masked in stores: 1
lanes out of bounds: 0
elements in conflict: 0
"""
    assert results["tail"].said == "not in the recording\n"


def test_a_strided_view_knows_its_own_elements(results):
    launch = only(results, "strided")
    assert "tensor x_ptr: memory A, float32, shape 4, strides 2\n" in results["strided"].text
    assert accesses(launch)[0] == ((0,), 4, "load", "x_ptr", "....", [0, 2, 4, 6])


def test_past_the_end_is_outside_though_the_memory_is_there(results):
    launch = only(results, "past_the_end")
    load, store = launch.events
    assert load.lanes == tuple(Lane(i, TOUCHED if i < 4 else OUTSIDE if i == 4 else MASKED) for i in range(8))
    assert "load x_ptr 0-3 !4 ~5-7" in results["past_the_end"].text
    assert store.offsets(OUTSIDE) == [4]
    assert launch.tensor("x_ptr").start == 2 and launch.tensor("x_ptr").passed == "head"
    assert launch.totals()["lanes out of bounds"] == 2


def test_two_programs_on_one_element_are_a_conflict(results):
    launch = only(results, "conflict")
    assert list(launch.conflicts) == [("A", 0), ("A", 1)]
    assert set(launch.conflicts.values()) == {2}  # the second program's first store
    assert accesses(launch)[3] == ((1,), 4, "store", "out_ptr", ".", [3])


def test_atomics_are_no_conflict(results):
    launch = only(results, "atomic")
    assert [event.kind for event in launch.events] == ["atomic_add", "atomic_max", "atomic_cas"] * 2
    assert "atomic_add out_ptr 0 ~1" in results["atomic"].text
    assert launch.conflicts == {} and launch.totals()["elements updated"] == 6


def test_a_dot_is_told_with_its_shapes(results):
    launch = only(results, "dot")
    assert [event.kind for event in launch.events] == ["load", "dot", "store"]
    assert launch.events[1].operands == "4x4 by 4x4" and launch.events[1].tensor is None
    assert "load a_ptr [4x4] 0-15" in results["dot"].text and launch.grid == (1,)


def test_a_program_has_as_many_numbers_as_the_grid_has_axes(results):
    launch = only(results, "grid")
    assert launch.grid == (2, 2)
    assert [(event.program, event.offsets()) for event in launch.events] == [((0, 0), [0]), ((0, 1), [1]), ((1, 0), [2]), ((1, 1), [3])]


def test_a_called_function_belongs_to_the_line_that_calls_it(results):
    launch = only(results, "helper")
    # Line 1 is the first decorator.
    assert [(event.line, event.offsets()) for event in launch.events] == [(7, [1]), (12, [1]), (12, [2])]


def test_one_tensor_passed_twice_keeps_both_names(results):
    first, second = parse(results["in_place"].text)
    assert [event.tensor for event in first.events] == ["x_ptr", "out_ptr"]
    assert [(t.memory, t.start, t.passed) for t in second.tensors] == [("A", 0, "x"), ("A", 1, None)]
    assert second.number == 2


def test_tensors_in_tuples_block_pointers_and_descriptors_are_known(results):
    assert [e.tensor for e in only(results, "bundled").events] == ["both.first", "both.second"]
    load = only(results, "block_pointer").events[0]
    assert load.block == (2, 2) and load.lanes == (Lane(2), Lane(3, MASKED), Lane(5), Lane(6, MASKED))
    load, store = only(results, "descriptor").events
    assert (load.tensor, load.offsets()) == ("desc", [16, 17, 18, 19, 24, 25, 26, 27])
    assert store.offsets() == [4, 5, 6, 7, 12, 13, 14, 15]


def test_a_pointer_from_memory_is_known_by_its_address(results):
    assert accesses(only(results, "from_memory"))[1] == ((0,), 4, "store", "x_ptr", ".", [1])


def test_scalars_and_bytes(results):
    launch = only(results, "scalar")
    assert [tensor.shape for tensor in launch.tensors] == [(1,), (1,)] and launch.tensors[1].dtype == "bool"


def test_the_same_program_gives_the_same_recording(results):
    assert results["again"].text == results["in_place"].text
    assert not any("0x" in result.text for result in results.values())


def test_a_declared_exception_keeps_what_was_recorded(results, tmp_path):
    result = results["raises"]
    assert (result.exit, result.raised) == (1, "ValueError") and len(parse(result.text)) == 1
    declared = run.Result(**vars(result) | {"snippet": snippet("raises", raises="ValueError")})
    assert judge.weigh(discover(tmp_path), declared, {}).state is judge.State.MISSING


@pytest.mark.parametrize(("name", "why"), [
    ("unknown", "line 4 of picks: nobody can say which tensor its store means"),
    ("reinterpreted", "its store takes 1 bytes an element, but x_ptr is of float32"),
    ("many", f"it makes more than {MOST_EVENTS:,} accesses; make the example smaller"),
    ("large", "x_ptr has 70,000 elements; a replay shows at most 65,536"),
    ("caught", "x_ptr has 70,000 elements; a replay shows at most 65,536"),
    ("wide", "more than 65,536 lanes access memory; make the example smaller"),
    ("no_launch", "it launches no kernel, so there is nothing to replay"),
])
def test_what_cannot_be_replayed_is_refused_with_the_reason(results, tmp_path, name, why):
    assert results[name].exit == 0
    verdict = judge.weigh(discover(tmp_path), results[name], {})
    assert verdict.state is judge.State.FAILED and why in verdict.reason
