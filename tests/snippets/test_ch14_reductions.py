"""The kernels of chapter 14 against oracles in float64, at every kind of edge."""

import math

import pytest
import torch
import triton
import triton.language as tl
from hypothesis import given, settings
from hypothesis import strategies as st

from ch07_numerics.tolerance import worst_over_budget
from ch14_reductions.argmax_rows import argmax_rows
from ch14_reductions.bits import halves, in_compiled_order
from ch14_reductions.block_sum import block_sum
from ch14_reductions.cumsum_rows import cumsum_rows
from ch14_reductions.logsumexp_rows import logsumexp_rows
from ch14_reductions.recurrence import recurrence
from ch14_reductions.scan_all import scan_all
from ch14_reductions.sum_all import sum_all
from ch14_reductions.sum_columns import sum_columns
from ch14_reductions.sum_rows import DEVICE, FLOATS, sum_rows
from ch14_reductions.tile_sums import tile_sums
from ch14_reductions.tree_each_turn import tree_each_turn
from ch14_reductions.welford_rows import welford_rows

BLOCK = 8
COLS = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5]
INF, NAN = float("inf"), float("nan")


def normal(*shape, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).to(dtype).to(DEVICE)


def way(terms, lanes, parts=1):
    """Roundings on the longest way: turns of a lane, levels of a tree, and the same over the parts."""
    across = math.ceil(math.log2(parts)) + 1 if parts > 1 else 0
    return math.ceil(terms / lanes) + math.ceil(math.log2(lanes)) + across


def right_sums(sums, terms, roundings):
    """Sums along the last axis of terms, a float64, within the budget of 7.5."""
    return worst_over_budget(sums, terms.sum(-1), roundings, terms.abs().sum(-1)) <= 1


def views(rows, cols, dtype=torch.float32):
    """A matrix whose rows lie apart, as it is, and side by side."""
    whole = normal(rows, cols + 3, dtype=dtype)
    yield whole[:, :cols]
    yield whole[:, :cols].contiguous()
    yield whole[::2, 1 : cols + 1]


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("cols", COLS)
@pytest.mark.parametrize("rows", [0, 1, 5])
def test_row_sums(rows, cols, dtype):
    for x in views(rows, cols, dtype):
        wide = x.cpu().double()
        assert right_sums(sum_rows(x, tile=(2, BLOCK)), wide, way(cols, BLOCK))
        assert right_sums(sum_rows(x, tile=(4, 1)), wide, way(cols, 1))
        assert right_sums(tree_each_turn(x, BLOCK), wide, way(cols, BLOCK))
        assert right_sums(block_sum(x), wide, way(cols, max(cols, 1)))


@settings(max_examples=20, deadline=None)
@given(rows=st.integers(0, 9), cols=st.integers(0, 40), tile=st.sampled_from([(1, 1), (1, 16), (4, 2), (8, 8)]))
def test_row_sums_of_any_tile_are_exact_for_integers(rows, cols, tile):
    x = torch.arange(float(rows * cols), device=DEVICE).reshape(rows, cols)
    assert torch.equal(sum_rows(x, tile), x.sum(1))


def test_what_row_sums_refuse():
    with pytest.raises(TypeError, match="float64"):
        sum_rows(torch.zeros(2, 2, dtype=torch.float64, device=DEVICE))
    with pytest.raises(ValueError, match=r"strides \(1, 3\)"):
        sum_rows(normal(2, 3).T)
    with pytest.raises(ValueError, match="shape"):
        sum_rows(normal(3))
    with pytest.raises(ValueError, match="at most 8"):
        block_sum(normal(1, 9), block=8)
    with pytest.raises(ValueError, match="one tile"):
        tile_sums(normal(128, 64))
    with pytest.raises(ValueError, match="contiguous"):
        sum_all(normal(3, 4).T)
    with pytest.raises(ValueError, match="2-D"):
        sum_columns(normal(3))
    for function in (argmax_rows, welford_rows):
        with pytest.raises(ValueError, match="no elements"):
            function(normal(3, 0))


@pytest.mark.parametrize("shape", [(0, 0), (1, 1), (2, 3), (4, 8), (5, 9)])
def test_tile_sums(shape):
    for x in views(*shape):
        columns, rows, everything = tile_sums(x)
        wide, roundings = x.cpu().double(), way(64, 64)
        assert right_sums(columns, wide.T, roundings)
        assert right_sums(rows, wide, roundings)
        assert right_sums(everything, wide.flatten(), roundings)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("n", [0, 1, 8, 9, 65, 200])
@pytest.mark.parametrize("length", [BLOCK, 3 * BLOCK, 2 * BLOCK + 3])
def test_sum_of_everything(n, length, dtype):
    x = normal(n, dtype=dtype)
    wide, roundings = x.cpu().double(), way(min(n, length), BLOCK, max(1, n // length + 1))
    assert right_sums(sum_all(x, length, BLOCK), wide, roundings)
    assert right_sums(sum_all(x.reshape(n, 1, 1), length, BLOCK), wide, roundings)


def test_the_same_split_gives_the_same_bits():
    x = normal(1000)
    assert len({sum_all(x, 200, BLOCK).item() for _ in range(5)}) == 1


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("rows", [0, 1, 8, 9, 50])
@pytest.mark.parametrize("cols", [0, 1, 5])
def test_column_sums(rows, cols, dtype):
    x = normal(rows, cols, dtype=dtype)
    for parts in (1, 3, 100):
        sums = sum_columns(x, parts, first=(4, 4), second=(2, 4))
        assert right_sums(sums, x.cpu().double().T, way(rows, 4) + way(parts, 2))


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("cols", COLS[1:])
def test_argmax(cols, dtype):
    for x in views(4, cols, dtype):
        assert torch.equal(argmax_rows(x, BLOCK), x.argmax(1))
    assert argmax_rows(normal(0, cols)).shape == (0,)


@settings(max_examples=40, deadline=None)
@given(
    row=st.lists(st.sampled_from([-INF, -1.0, 0.0, 2.0, INF, NAN]), min_size=1, max_size=20),
    block=st.sampled_from([1, 4, 16]),
)
def test_argmax_with_ties_nan_and_infinity(row, block):
    x = torch.tensor([row], device=DEVICE)
    assert argmax_rows(x, block).tolist() == x.argmax(1).tolist()


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("cols", COLS)
def test_logsumexp(cols, dtype):
    # The terms are positive, each step rounds a few times: a relative error of the sum is an absolute one
    # of its logarithm.
    for x in views(3, cols, dtype):
        sums, wide = logsumexp_rows(x, BLOCK), x.cpu().double()
        if cols == 0:
            assert (sums == -INF).all()
        else:
            scale = 1.0 + math.log(cols) + wide.abs().amax(1)
            assert worst_over_budget(sums, wide.logsumexp(1), 6 * way(cols, BLOCK), scale) <= 1


@settings(max_examples=30, deadline=None)
@given(
    row=st.lists(st.sampled_from([-INF, -200.0, 0.0, 90.0, 3e38, INF, NAN]), max_size=12),
    block=st.sampled_from([1, 4, 16]),
)
def test_logsumexp_with_infinity(row, block):
    x = torch.tensor([row], dtype=torch.float32, device=DEVICE)
    ours, truth = logsumexp_rows(x, block).cpu().double(), x.cpu().double().logsumexp(1)
    if truth.isfinite().all():
        assert worst_over_budget(ours, truth, 6 * way(12, block), truth.abs() + 1.0) <= 1
    else:
        assert torch.equal(ours, truth) or (ours.isnan() & truth.isnan()).all()


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("cols", COLS[1:])
def test_welford(cols, dtype):
    # Each merge rounds mean a few times, relative to the largest element; a mean that is off by e
    # shifts each deviation by e, and the variance by 2 e times the deviation, plus e squared.
    for x in views(3, cols, dtype):
        x = x + 100
        mean, var = welford_rows(x, BLOCK)
        wide = x.cpu().double()
        roundings = 4 * way(cols, BLOCK)
        top = wide.abs().amax(1)
        assert worst_over_budget(mean, wide.mean(1), roundings, top) <= 1
        spread = (wide - wide.mean(1, keepdim=True)).abs().amax(1)
        truth = wide.var(1, unbiased=False)
        assert worst_over_budget(var, truth, roundings, truth + 2 * top * spread) <= 1


@pytest.mark.parametrize("cols", COLS)
def test_prefix_sums_of_rows(cols):
    for x in views(3, cols):
        wide = x.cpu().double()
        roundings = way(cols, BLOCK) + BLOCK
        assert worst_over_budget(cumsum_rows(x, BLOCK), wide.cumsum(1), roundings, wide.abs().cumsum(1)) <= 1
    x = torch.ones(2, cols, dtype=torch.bfloat16, device=DEVICE)
    assert torch.equal(cumsum_rows(x, BLOCK), x.float().cumsum(1).to(x.dtype))


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 130])
def test_prefix_sums_of_everything(n):
    x = normal(n)
    wide = x.cpu().double()
    assert worst_over_budget(scan_all(x, BLOCK), wide.cumsum(0), n // BLOCK + 3 * BLOCK, wide.abs().cumsum(0)) <= 1
    x = torch.arange(float(n), device=DEVICE).reshape(1, n)
    assert torch.equal(scan_all(x, BLOCK), x.cumsum(1))


@pytest.mark.parametrize("cols", [0, 1, 3, 4, 5, 13])
def test_recurrence(cols):
    a, b = normal(2, cols), normal(2, cols, seed=1)
    h = size = torch.zeros(2, dtype=torch.float64)
    truth, scale = torch.zeros(2, cols, dtype=torch.float64), torch.zeros(2, cols, dtype=torch.float64)
    wide_a, wide_b = a.cpu().double(), b.cpu().double()
    for t in range(cols):
        h = wide_a[:, t] * h + wide_b[:, t]
        size = wide_a[:, t].abs() * size + wide_b[:, t].abs()
        truth[:, t], scale[:, t] = h, size
    assert worst_over_budget(recurrence(a, b, block=4), truth, 3 * cols + 2, scale) <= 1
    with pytest.raises(ValueError, match="against"):
        recurrence(a, normal(2, cols + 1))


@settings(max_examples=30, deadline=None)
@given(power=st.integers(0, 12), warps=st.sampled_from([1, 2, 4, 8]))
def test_every_order_adds_each_element_once(power, warps):
    row = torch.arange(2.0**power)  # sums below 2 ** 24 are exact
    row = row % 1000
    assert in_compiled_order(row, warps) == row.sum()
    assert halves(row) == row.sum()


@triton.jit
def type_kernel(
    x_ptr,  # eight elements
    out_ptr,  # their sum
    SCAN: tl.constexpr,  # as the last prefix sum
):
    lane = tl.arange(0, 8)
    x = tl.load(x_ptr + lane)
    if SCAN:
        out = tl.sum(tl.where(lane == 7, tl.cumsum(x, axis=0), 0), axis=0)
    else:
        out = tl.sum(x, axis=0)
    tl.store(out_ptr, out)


@pytest.mark.parametrize(
    ("scan", "dtype", "value", "wide_enough"),
    [
        (False, torch.int8, 100, True),
        (False, torch.float16, 2.0**14, False),
        (True, torch.int8, 100, True),
        (True, torch.bfloat16, 1.0 + 2**-7, True),
    ],
)
def test_the_type_that_a_sum_and_a_scan_work_in(scan, dtype, value, wide_enough):
    x = torch.full((8,), value, dtype=dtype, device=DEVICE)
    out = torch.zeros(1, dtype=torch.int32 if dtype == torch.int8 else torch.float32, device=DEVICE)
    type_kernel[(1,)](x, out, SCAN=scan)
    assert (out.item() == 8 * value) == wide_enough
