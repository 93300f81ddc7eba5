"""Chapter 19's stopwatch does what Triton's do_bench does, call for call: both run on a device that only keeps a log."""

import numpy
import pytest
import torch
import triton.testing
from hypothesis import given
from hypothesis import strategies as st

from ch19_benchmarking import stopwatch as rebuilt
from ch19_benchmarking.quantile import quantile

SHARES = [0.5, 0.2, 0.8]


@given(st.lists(st.floats(0.001, 1000), min_size=1, max_size=50), st.floats(0, 1))
def test_quantile_is_numpys_and_tritons(samples, share):
    expected = numpy.quantile(samples, share)
    assert quantile(samples, share) == pytest.approx(expected, rel=1e-9)
    theirs = triton.testing._summarize_statistics(samples, [share], "mean")
    assert quantile(samples, share) == pytest.approx(theirs, rel=1e-12)


@pytest.mark.parametrize("share", [0.0, 0.2, 0.5, 0.8, 1.0])
def test_quantile_of_one_sample_is_that_sample(share):
    assert quantile([7.0], share) == 7.0


class Device:
    """A device without hardware: whatever it is asked to do takes a known time and is written down."""

    def __init__(self, flush_ms=0.0625):
        self.log, self.now, self.flush_ms = [], 0.0, flush_ms

    def does(self, what, ms):
        self.log.append(what)
        self.now += ms

    def synchronize(self):
        self.does("wait", 0)

    def flush(self):
        self.does("flush", self.flush_ms)

    def Event(self, enable_timing):
        assert enable_timing
        return Event(self)


class Event:
    def __init__(self, device):
        self.device = device

    def record(self):
        self.device.log.append("record")
        self.at = self.device.now

    def elapsed_time(self, end):
        return end.at - self.at


class Driver:
    """As much of Triton's driver as do_bench asks for."""

    def __init__(self, device):
        self.device = device

    def get_device_interface(self):
        return self.device

    def get_empty_cache_for_benchmark(self):
        return None

    def clear_cache(self, cache):
        self.device.flush()


class Buffer:
    def __init__(self, device):
        self.zero_ = device.flush


def ours(device, monkeypatch, fn, **options):
    with monkeypatch.context() as patch:
        patch.setattr(torch.cuda, "Event", device.Event)
        patch.setattr(torch.cuda, "synchronize", device.synchronize)
        patch.setattr(torch, "empty", lambda *_, **__: Buffer(device))
        return rebuilt.stopwatch(fn, **options)


def theirs(device, monkeypatch, fn, leaves=(), shares=SHARES, **options):
    with monkeypatch.context() as patch:
        patch.setattr(type(triton.runtime.driver), "active", Driver(device))
        return triton.testing.do_bench(fn, grad_to_none=leaves, quantiles=list(shares), **options)


@pytest.mark.parametrize("ms", [0.0005, 0.0625, 0.5, 3.0, 40.0, 400.0])
@pytest.mark.parametrize(("warmup", "rep"), [(25, 100), (1, 1), (10, 50)])
def test_the_rebuilt_stopwatch_does_what_do_bench_does(monkeypatch, ms, warmup, rep):
    seen = []
    for watch in (ours, theirs):
        device, leaf = Device(), torch.ones(1)
        count = iter(range(10**6))

        def fn():
            # Slower from call to call, so that a sample that is missing or doubled shows.
            device.does("call" if leaf.grad is None else "call with a gradient", ms * (1 + next(count) % 7 / 8))
            leaf.grad = torch.ones(1)

        result = watch(device, monkeypatch, fn, leaves=[leaf], shares=SHARES, warmup=warmup, rep=rep)
        seen.append((device.log, result))
    (our_log, our_result), (their_log, their_result) = seen
    assert our_log == their_log
    assert our_result == pytest.approx(their_result, rel=1e-12)


def test_quantiles_come_back_in_the_order_asked(monkeypatch):
    device = Device()
    durations = iter([1.0, 2.0, 3.0, 4.0, 5.0] * 1000)
    results = ours(device, monkeypatch, lambda: device.does("call", next(durations)), shares=(0.8, 0.0, 0.5, 1.0))
    assert results[1] == 1.0 and results[3] == 5.0 and results[1] < results[2] < results[0] <= results[3]


def test_gradients_that_are_kept_are_not_touched(monkeypatch):
    device, leaf = Device(), torch.ones(1)
    leaf.grad = torch.full((1,), 3.0)
    ours(device, monkeypatch, lambda: device.does("call", 1.0))
    assert leaf.grad.item() == 3.0
