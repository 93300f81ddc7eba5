"""The kernels and tools of chapter 9 on sizes and inputs that break careless ones."""

import os
import sys

import pytest
import torch
import triton
from hypothesis import given, settings
from hypothesis import strategies as st
from triton.runtime import interpreter

from ch04_pointers.descriptor_copy import copy_by_host_descriptor
from ch04_pointers.row_offset import row_offset_kernel
from ch05_grids.unmasked import careless_double
from ch07_numerics.tolerance import worst_over_budget
from ch09_debugging import bisect_steps
from ch09_debugging.asserts import attempt as attempt_assert
from ch09_debugging.bisect_steps import STEPS, data, difference, first_wrong, gated_norm, oracle, shrink, wrong
from ch09_debugging.counted_check import DEVICE, checked_sqrt
from ch09_debugging.debugger import Scripted, mean_kernel
from ch09_debugging.recorder import Recorder
from ch09_debugging.reject_types import attempt, floor_kernel
from ch09_debugging.who_prints import BLOCK, captured, print_kernel

SIZES = [0, 1, 3, 4, 5, 8, 13]
interpreted = pytest.mark.skipif(DEVICE != "cpu", reason="it is about the interpreter")


def normal(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).to(DEVICE)


@interpreted
@pytest.mark.parametrize("way", ["print", "static_print", "device_print", "device_print of n"])
@pytest.mark.parametrize("n", [1, 4, 5, 13])
def test_interpreted_each_way_prints_a_line_for_each_program(way, n, capfd):
    x = torch.arange(1.0, n + 1)
    programs = triton.cdiv(n, BLOCK)
    with capfd.disabled():
        lines = captured(lambda: print_kernel[(programs,)](x, n, way, BLOCK=BLOCK))
    assert len(lines) == programs
    assert ("1." in lines[0]) == (way != "device_print of n")


def test_captured_gives_the_screen_back_when_a_launch_fails(capfd):
    def fail():
        print("before")
        raise RuntimeError("on purpose")

    with capfd.disabled():
        screen = os.fstat(1)
        with pytest.raises(RuntimeError, match="on purpose"):
            captured(fail)
        assert os.path.samestat(screen, os.fstat(1))


@interpreted
@pytest.mark.parametrize("way", ["assert", "device_assert", "device_assert, masked", "static_assert"])
def test_interpreted_no_assertion_on_a_block_fires(way):
    assert attempt_assert(way, [4.0, -9.0]).startswith("passed")


@interpreted
def test_the_option_gives_the_interpreter_its_assertions_back(monkeypatch):
    options = interpreter.InterpreterOptions(debug=True)
    monkeypatch.setattr(interpreter.interpreter_builder, "options", options)
    assert attempt_assert("device_assert", [4.0, -9.0, 1.0, 1.0]) == "InterpreterError: negative"
    assert attempt_assert("device_assert", [4.0, 9.0, 1.0, 1.0]).startswith("passed")
    assert attempt_assert("device_assert", [4.0, 9.0]) == "InterpreterError: negative"  # a lane that is not there
    assert attempt_assert("device_assert, masked", [4.0, 9.0]).startswith("passed")
    some, out = torch.zeros(1, dtype=torch.int8), torch.empty(4, dtype=torch.int64)
    row_offset_kernel[(1,)](some, out, 2**15, 2, 2**15)
    with pytest.raises(Exception, match="int32 overflow detected for operation mul"):
        row_offset_kernel[(1,)](some, out, 2**16, 2, 2**15)


@pytest.mark.parametrize("n", SIZES)
def test_a_counted_check_is_silent_on_sound_values(n):
    x = normal(n).abs()
    assert worst_over_budget(checked_sqrt(x, block=4), x.cpu().double().sqrt(), 2) <= 1


@settings(max_examples=30, deadline=None)
@given(values=st.lists(st.sampled_from([-1.0, 0.0, -0.0, 4.0]), min_size=1, max_size=20), block=st.sampled_from([1, 4, 8]))
def test_a_counted_check_counts(values, block):
    x = torch.tensor(values, device=DEVICE)
    bad = values.count(-1.0)
    if bad:
        with pytest.raises(ValueError, match=f"^{bad} of {len(values)} elements are negative"):
            checked_sqrt(x, block)
    else:
        assert checked_sqrt(x, block).tolist() == [abs(v) ** 0.5 for v in values]


def test_a_counted_check_refuses_what_it_cannot_read():
    with pytest.raises(ValueError, match="float16"):
        checked_sqrt(torch.ones(3, dtype=torch.float16, device=DEVICE))
    with pytest.raises(ValueError, match="contiguous"):
        checked_sqrt(torch.ones(4, 4, device=DEVICE).T)


@pytest.mark.parametrize("cols", [1, 2, 3, 5, 8])
def test_the_mean_is_wrong_unless_the_columns_fill_the_lanes(cols, monkeypatch):
    monkeypatch.setattr(sys, "breakpointhook", lambda: None)
    x, out = normal(3, cols), torch.zeros(3, device=DEVICE)
    lanes = triton.next_power_of_2(cols)
    mean_kernel[(3,)](x, out, cols, BLOCK=lanes)
    wide = x.cpu().double()
    assert worst_over_budget(out, wide.sum(1) / lanes, cols + 1, wide.abs().sum(1) / lanes) <= 1


@interpreted
def test_a_scripted_debugger_stops_in_the_program_that_asks_for_it(monkeypatch, capsys):
    def hook():
        Scripted("p row", "p lanes", "c").set_trace(sys._getframe(1))

    monkeypatch.setattr(sys, "breakpointhook", hook)
    mean_kernel[(3,)](torch.ones(3, 5), torch.zeros(3), 5, BLOCK=8)
    said = capsys.readouterr().out
    assert said.count("(Pdb) p row\narray([1], dtype=int32)\n") == 1
    assert "array([0, 1, 2, 3, 4, 5, 6, 7]" in said


@interpreted
@settings(max_examples=25, deadline=None)
@given(n=st.integers(0, 12), block=st.sampled_from([1, 4, 8]))
def test_a_recorder_sees_every_access_and_each_stray(n, block):
    buffer = torch.full((32,), 7.0)
    x, out = torch.ones(n), buffer[:n]
    with Recorder(x=x, out=out) as recorder:
        stray = careless_double(x, out, block)
    stores = [(e.program, e.offset, e.inside) for e in recorder.events if e.kind == "store"]
    assert stores == [(o // block, o, o < n) for o in range(stray.stop)]
    assert [e.offset for e in recorder.events if e.kind == "load"] == list(range(n))
    assert all(e.tensor == "x" and e.inside for e in recorder.events if e.kind == "load")
    assert all("tl.store(out_ptr + offsets" in e.line for e in recorder.events if e.kind == "store")
    assert out.tolist() == [2.0] * n


@interpreted
def test_a_recorder_leaves_the_interpreter_as_it_was():
    builder = interpreter.interpreter_builder
    before = builder.create_masked_load, builder.create_masked_store
    with pytest.raises(ZeroDivisionError), Recorder():
        1 / 0
    assert (builder.create_masked_load, builder.create_masked_store) == before


@interpreted
def test_a_recorder_sees_descriptors_and_no_atomics():
    x, out = torch.ones(3, 4), torch.zeros(3, 4)
    with Recorder(x=x, out=out) as recorder:
        copy_by_host_descriptor(x, out, 4, 4)
    assert [(e.kind, e.tensor, e.offset) for e in recorder.events] == [
        (kind, tensor, offset) for kind, tensor in (("load", "x"), ("store", "out")) for offset in range(12)
    ]
    assert all(e.inside for e in recorder.events)
    with Recorder() as recorder, pytest.raises(ValueError, match="1 of 4"):
        checked_sqrt(torch.tensor([4.0, -1.0, 4.0, 4.0]), block=4)
    assert [e.kind for e in recorder.events] == ["load"] * 4 + ["store"] * 4


@interpreted
def test_an_address_before_all_tensors_belongs_to_nobody():
    buffer = torch.zeros(8)
    recorder = Recorder(last=buffer[4:])
    assert recorder.whose(buffer.data_ptr()) == ("nobody", buffer.data_ptr(), False)
    assert recorder.whose(buffer[4:].data_ptr() + 12) == ("last", 3, True)
    assert recorder.whose(buffer[4:].data_ptr() + 16) == ("last", 4, False)


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (2, 1), (1, 8), (6, 10), (3, 33), (4, 16)])
def test_the_mended_kernel_agrees_with_the_oracle_at_every_step(shape):
    inputs = data(*shape)
    for stop, want in enumerate(oracle(*inputs), start=1):
        got = gated_norm(*inputs, stop=stop, mended=True)
        torch.testing.assert_close(got.double(), want, rtol=0, atol=1e-5)


@settings(max_examples=20, deadline=None)
@given(rows=st.integers(2, 6), cols=st.integers(1, 9), seed=st.integers(0, 99))
def test_the_planted_fault_is_at_step_three_and_spares_the_first_row(rows, cols, seed):
    both = normal(rows, 2 * cols, seed=seed)
    inputs = normal(rows, cols, seed=seed + 1), both[:, cols:], normal(cols, seed=seed + 2)
    steps = oracle(*inputs)
    far = [(gated_norm(*inputs, stop=s).double() - steps[s - 1]).abs() > 1e-5 for s in range(1, STEPS + 1)]
    assert [bool(f.any()) for f in far[:3]] == [False, False, True]
    assert not any(f[0].any() for f in far)


def test_a_gate_of_its_own_memory_hides_the_fault():
    x, gate, weight = data(6, 10)
    got = gated_norm(x, gate.contiguous(), weight)
    torch.testing.assert_close(got.double(), oracle(x, gate, weight)[-1], rtol=0, atol=1e-5)


@pytest.mark.parametrize("shape", [(6, 10), (3, 1), (9, 4)])
def test_shrinking_and_bisecting(shape, monkeypatch):
    small = shrink(shape)
    assert wrong(small) and small[0] <= shape[0] and small[1] <= shape[1]
    assert not any(wrong(s) for s in [(small[0] - 1, small[1]), (small[0], small[1] - 1)] if min(s) > 0)
    assert first_wrong(small) == 3
    for planted in range(1, STEPS + 1):
        monkeypatch.setattr(bisect_steps, "wrong", lambda shape, stop: stop >= planted)
        assert first_wrong(small) == planted


def test_the_difference_is_the_planted_one():
    assert difference((6, 10), 3)[0].max() < 1e-5 < 0.1 < difference((6, 10), 3)[1:].max()


def test_gated_norm_refuses_what_it_would_misread():
    x, gate, weight = data(4, 6)
    with pytest.raises(ValueError, match="float64"):
        gated_norm(x.double(), gate, weight)
    with pytest.raises(ValueError, match="strides"):
        gated_norm(x, normal(6, 4).T, weight)
    with pytest.raises(ValueError, match=r"weight \(5,\)"):
        gated_norm(x, gate, weight[:5])


def test_an_attempt_tells_the_innermost_message(capsys):
    x = torch.ones(4, device=DEVICE)
    attempt("floor", lambda: floor_kernel[(1,)](x, x, 4))
    attempt("nothing", lambda: None)
    said = capsys.readouterr().out
    assert "== floor ==\nraised: " in said and "unexpected type fp32" in said
    assert said.endswith("== nothing ==\nraised: nothing\n")
