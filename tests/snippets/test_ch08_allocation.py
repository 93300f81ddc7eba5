"""The kernels of chapter 8 against oracles, and its two checks of memory."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from ch07_numerics.tolerance import worst_over_budget
from ch08_allocation.barrier import one_block_kernel
from ch08_allocation.centre import DEVICE, centre
from ch08_allocation.column_sums import ROWS, column_sums, partial_sums
from ch08_allocation.compact import positives
from ch08_allocation.deterministic_fill import poisoned_empty
from ch08_allocation.difference import launch_difference
from ch08_allocation.lower import lower, poisoned_like, unwritten
from ch08_allocation.overlap import addresses, check_output, same_elements, span, spans_meet
from ch08_allocation.zeroed_once import Sum
from ch12_elementwise.fma_relu import fused_fma_relu

BLOCK = 8
SIZES = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5]


def normal(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).to(DEVICE)


@pytest.mark.parametrize("rows", [0, 1, 3])
@pytest.mark.parametrize("cols", [0, 1, 7, 8, 9, 1000])
def test_centre(rows, cols):
    x = normal(rows, cols)
    wide = x.cpu().double()
    scale = wide.abs() + wide.abs().mean(1, keepdim=True)
    assert worst_over_budget(centre(x), wide - wide.mean(1, keepdim=True), cols + 2, scale) <= 1


@pytest.mark.parametrize("n", SIZES)
def test_positives(n):
    x = normal(n)
    assert torch.equal(positives(x, BLOCK), x[x > 0])
    assert torch.equal(positives(x.abs() + 1, BLOCK), x.abs() + 1)
    assert positives(-x.abs(), BLOCK).numel() == 0


@settings(max_examples=25, deadline=None)
@given(values=st.lists(st.integers(-3, 3), max_size=40), block=st.sampled_from([1, 2, 8, 64]))
def test_positives_keep_their_order(values, block):
    x = torch.tensor(values, dtype=torch.float32, device=DEVICE)
    assert positives(x, block).tolist() == [v for v in values if v > 0]


@pytest.mark.parametrize("n", [0, 1, 3, 4, 5, 9])
def test_lower_writes_all_but_the_tiles_above_the_diagonal(n):
    x = normal(n, n)
    assert torch.equal(lower(x, torch.zeros_like, tile=4), torch.tril(x))
    kept = unwritten(lambda out: lower(x, lambda _: out, tile=4), torch.empty_like(x))
    tile = torch.arange(n, device=DEVICE) // 4
    assert torch.equal(kept, tile[None, :] > tile[:, None])
    assert torch.equal(lower(x, poisoned_like, tile=4).isnan(), kept)
    with poisoned_empty():
        assert torch.equal(lower(x, tile=4).isnan(), kept)
    assert not torch.are_deterministic_algorithms_enabled()


def test_a_whole_kernel_leaves_nothing_unwritten():
    x = normal(100)
    assert not unwritten(lambda out: out.copy_(fused_fma_relu(x, 2.0, 1.0)), x.clone()).any()
    # NaN as a result is no element forgotten
    assert not unwritten(lambda out: out.fill_(torch.nan), x.clone()).any()


def test_the_two_fillings_may_be_results():
    result = torch.tensor([11.0, 47.0, 3.0], device=DEVICE)
    assert not unwritten(lambda out: out.copy_(result), result.clone()).any()


def test_poison_of_integers():
    x = torch.zeros(3, dtype=torch.int16)
    assert poisoned_like(x).tolist() == [32767] * 3


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("last_first", [False, True])
def test_difference(n, last_first):
    x, out = normal(n + BLOCK), torch.full((n + BLOCK,), 7.0, device=DEVICE)
    x[n:] = 5.0  # what lies behind x
    launch_difference(x[:n], out[:n], last_first, BLOCK)
    assert torch.equal(out[:n], torch.cat([x[:n], x.new_zeros(1)])[1:] - x[:n])
    assert out[n:].eq(7.0).all()


@pytest.mark.parametrize("n", [1, 2, 31, 32])
def test_one_block_in_place(n):
    x = normal(n + 32)
    y = x.clone()
    one_block_kernel[(1,)](y, n, BLOCK=32)
    assert torch.equal(y[:n], torch.cat([x[:n], x.new_zeros(1)])[1:] - x[:n])
    assert torch.equal(y[n:], x[n:])


@pytest.mark.parametrize("n", SIZES)
def test_sum_cleared_in_each_call(n):
    x, add_up = normal(n), Sum(clear=True)
    wide = x.cpu().double()
    for _ in range(2):
        assert worst_over_budget(add_up(x), wide.sum().reshape(1), n, wide.abs().sum()) <= 1


shapes = st.lists(st.integers(0, 4), min_size=1, max_size=2)


@st.composite
def views(draw, base=torch.zeros(64)):
    shape = draw(shapes)
    strides = [draw(st.integers(0, 8)) for _ in shape]
    return base.as_strided(shape, strides, draw(st.integers(0, 12)))


@settings(max_examples=100, deadline=None)
@given(a=views(), b=views())
def test_spans_that_do_not_meet_share_nothing(a, b):
    shared = addresses(a) & addresses(b)
    assert spans_meet(a, b) or not shared
    for t in (a, b):
        inside = {address in span(t) for address in addresses(t)}
        assert inside <= {True}
    if same_elements(a, b):
        check_output(a, b)
    elif shared:
        with pytest.raises(ValueError, match="overlaps"):
            check_output(a, b)


def test_a_transpose_is_no_output():
    x = torch.zeros(3, 3, device=DEVICE)
    check_output(x, x)
    with pytest.raises(ValueError, match="begins 0 elements"):
        check_output(x, x.T)


@settings(max_examples=50, deadline=None)
@given(a=views())
def test_addresses_are_those_of_torch(a):
    index = torch.arange(64).as_strided(a.shape, a.stride(), a.storage_offset())
    base = a.data_ptr() - 4 * a.storage_offset()
    if a.numel():
        assert addresses(a) == {base + 4 * i for i in index.flatten().tolist()}


@pytest.mark.parametrize("rows", [0, 1, ROWS - 1, ROWS, ROWS + 1, 7 * ROWS + 3])
@pytest.mark.parametrize("cols", [0, 1, 64, 65])
@pytest.mark.parametrize("splits", [1, 3])
def test_column_sums(rows, cols, splits):
    x = normal(rows, cols)
    wide = x.cpu().double()
    assert worst_over_budget(column_sums(x, splits), wide.sum(0), rows + splits, wide.abs().sum(0)) <= 1


def test_parts_may_be_more_than_rows():
    x = normal(3, 5)
    scratch = x.new_full((7, 5), torch.nan)
    partial_sums(x, scratch)
    wide = x.cpu().double()
    assert worst_over_budget(scratch.sum(0), wide.sum(0), 10, wide.abs().sum(0)) <= 1


@pytest.mark.parametrize("function", [centre, positives, lower, column_sums])
def test_contracts(function):
    shape = (8,) if function is positives else (4, 4)
    with pytest.raises((TypeError, ValueError), match="float64|float32"):
        function(normal(*shape).double())
    with pytest.raises(ValueError, match="strides"):
        function(normal(16)[::2] if function is positives else normal(4, 5)[:, :4])
