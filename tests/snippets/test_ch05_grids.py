"""The kernels of chapter 5 on sizes and masks that break careless kernels."""

import math

import pytest
import torch
import triton
from hypothesis import given, settings
from hypothesis import strategies as st

from ch05_grids.chained import chained_kernel, precedence_kernel, window_kernel
from ch05_grids.cover import DEVICE, owner_kernel, owners
from ch05_grids.cover_2d import visits, visits_kernel
from ch05_grids.mask_and import all_not_kernel, ends_or_kernel, even_and_kernel, even_kernel, mark
from ch05_grids.mask_cost import double_by_mask
from ch05_grids.order import tickets
from ch05_grids.other import BLOCK, lanes
from ch05_grids.padding import INF, reductions
from ch05_grids.softmax_pad import softmax, softmax_kernel, variance
from ch05_grids.swizzle import double, double_kernel, visit
from ch05_grids.unmasked import careless_double
from ch07_numerics.tolerance import worst_over_budget

SIZES = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5]
INTERPRETED = DEVICE == "cpu"

sides = st.integers(0, 9)
tiles = st.sampled_from([1, 2, 4])


def normal(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).to(DEVICE)


def guarded(size, dtype=torch.float32):
    """A buffer of sevens, the size elements in its middle, and the sevens around them."""
    buffer = torch.full((size + 128,), 7, dtype=dtype, device=DEVICE)
    inside = torch.zeros(size + 128, dtype=torch.bool)
    inside[64 : 64 + size] = True
    return buffer[64 : 64 + size], lambda: (buffer[~inside] == 7).all()


def swizzled(i, j, size_i, size_j, group):
    """Where tl.swizzle2d puts (i, j), written from its description: columns of each group first."""
    order = [
        (row, column)
        for first in range(0, size_i, group)
        for column in range(size_j)
        for row in range(first, min(first + group, size_i))
    ]
    return order[i * size_j + j]


@pytest.mark.parametrize("n", SIZES)
def test_a_covering_grid_reaches_each_element_once(n):
    assert owners(n, BLOCK).tolist() == [i // BLOCK for i in range(n)]


@pytest.mark.parametrize("n", range(10))
def test_owners_stay_at_home(n):
    out, untouched = guarded(n, torch.int32)
    owner_kernel[(triton.cdiv(n, 4) + 1,)](out, n, BLOCK=4)
    assert out.tolist() == [i // 4 for i in range(n)] and untouched()


@settings(max_examples=25, deadline=None)
@given(n=st.integers(0, 60), block=st.sampled_from([1, 2, 8, 16]), programs=st.integers(0, 8))
def test_a_grid_reaches_what_lies_below_programs_times_block(n, block, programs):
    expected = [i // block if i < programs * block else -1 for i in range(n)]
    assert owners(n, block, programs).tolist() == expected


@given(n=st.integers(0, 2**40), block=st.integers(1, 2**20))
def test_rounding_up_is_the_least_grid_that_covers(n, block):
    programs = triton.cdiv(n, block)
    assert programs * block >= n and (programs - 1) * block < n
    assert programs - n // block == (n % block != 0)


def test_no_negative_sizes():
    with pytest.raises(ValueError, match="n is -1"):
        owners(-1, 4)
    with pytest.raises(ValueError, match="-2 rows"):
        visits(-2, 3)


@settings(max_examples=25, deadline=None)
@given(rows=sides, cols=sides, tile_m=tiles, tile_n=tiles)
def test_a_mask_of_two_edges_visits_each_element_once(rows, cols, tile_m, tile_n):
    assert (visits(rows, cols, tile_m, tile_n) == 1).all()


@pytest.mark.parametrize("flat", [False, True])
def test_neither_mask_leaves_the_matrix(flat):
    out, untouched = guarded(15, torch.int32)
    out.zero_()
    visits_kernel[(2, 3)](out, 3, 5, TILE_M=2, TILE_N=2, FLAT=flat)
    assert out.sum() == (17 if flat else 15) and untouched()


@settings(max_examples=25, deadline=None)
@given(rows=st.integers(1, 9), cols=st.integers(1, 9), tile_m=tiles, tile_n=tiles)
def test_a_flat_mask_is_right_only_where_tiles_end_with_the_rows(rows, cols, tile_m, tile_n):
    seen = visits(rows, cols, tile_m, tile_n, flat=True)
    assert (seen >= 1).all()
    assert (seen == 1).all() == (cols % tile_n == 0 or rows == 1)


@pytest.mark.parametrize("n", SIZES)
def test_lanes_hold_x_and_then_other(n):
    x = normal(n)
    found = lanes(x, n, -1.0)
    assert found.numel() == triton.cdiv(n, BLOCK) * BLOCK
    assert torch.equal(found[:n], x) and (found[n:] == -1.0).all()


def test_lanes_refuse_what_they_cannot_read():
    with pytest.raises(TypeError, match="float64"):
        lanes(normal(4).double(), 4, None)
    with pytest.raises(ValueError, match=r"strides \(2,\)"):
        lanes(normal(8)[::2], 4, None)


@pytest.mark.parametrize("cols", [1, 2, 5, 8, 9, 17])
def test_neutral_padding_leaves_a_reduction_alone(cols):
    x = normal(3, cols)
    wide = x.double().cpu()
    assert worst_over_budget(reductions(x, 0.0)[:, 0], wide.sum(1), cols, wide.abs().sum(1)) <= 1
    assert torch.equal(reductions(x, -INF)[:, 1], x.max(1)[0])
    assert torch.equal(reductions(x, INF)[:, 2], x.min(1)[0])


@pytest.mark.parametrize("cols", [1, 2, 5, 8, 9, 17])
def test_softmax_and_variance_against_float64(cols):
    x = 3 * normal(4, cols)
    wide = x.double().cpu()
    # Half an eps of x - max is that much of its exponential, four roundings stand for exp, cols for the sum.
    assert worst_over_budget(softmax(x), torch.softmax(wide, 1), (wide.max() - wide.min()).item() + cols + 6) <= 1
    largest = wide.abs().amax(1).square()
    assert worst_over_budget(variance(x), wide.var(1, correction=0), 3 * cols + 6, 4 * largest) <= 1


def test_softmax_of_large_numbers_stays_inside_its_rows():
    x = 1000 + normal(3, 5)
    out, untouched = guarded(15)
    softmax_kernel[(3,)](x, out, 5, -INF, BLOCK=8)
    assert worst_over_budget(out.view(3, 5), torch.softmax(x.double().cpu(), 1), 5 + 5 + 6) <= 1
    assert untouched()


def test_padding_leaks_by_as_much_as_the_page_says():
    x = normal(1, 5)
    lost = softmax(x, 0.0).sum().item()
    e = (x - max(x.max().item(), 0.0)).exp().sum().item()
    padded = 3 * math.exp(-max(x.max().item(), 0.0))
    assert lost == pytest.approx(e / (e + padded), abs=1e-6)
    extra = 3 * x.mean().item() ** 2 / 5
    assert variance(x, again=False).item() == pytest.approx(variance(x).item() + extra, abs=1e-5)


@pytest.mark.parametrize("fn", [softmax, variance, lambda x: reductions(x, 0.0)])
def test_row_kernels_take_no_rows_and_refuse_the_rest(fn):
    assert fn(normal(0, 5)).shape[0] == 0
    with pytest.raises(ValueError, match="no columns"):
        fn(normal(3, 0))
    with pytest.raises(ValueError, match=r"strides \(1, 3\)"):
        fn(normal(2, 3).T)
    with pytest.raises(TypeError, match="float16"):
        fn(normal(2, 3).half())


@pytest.mark.parametrize("n", [1, 3, 4, 5, 7, 8, 9])
@pytest.mark.parametrize("block", [1, 4, 8])
def test_strays_are_where_the_formula_says(n, block):
    buffer = torch.full((32,), 7.0, device=DEVICE)
    x = 1 + normal(n).abs()
    stray = careless_double(x, buffer[:n], block)
    assert torch.equal(buffer[:n], 2 * x)
    hit = [i for i in range(n, 32) if buffer[i] != 7.0]
    assert hit == list(stray)


@pytest.mark.parametrize("n", [0, 1, 1023, 1024, 1025])
def test_a_mask_is_needed_where_the_block_does_not_divide(n):
    x, buffer = normal(n), torch.full((2048,), 7.0, device=DEVICE)
    double_by_mask(x, buffer[:n], masked=True)
    assert torch.equal(buffer[:n], 2 * x) and (buffer[n:] == 7.0).all()
    if n % 1024:
        with pytest.raises(ValueError, match=f"does not divide {n}"):
            double_by_mask(x, buffer[:n], masked=False)
    else:
        double_by_mask(x, buffer[:n], masked=False)


def test_double_by_mask_refuses_an_output_of_another_size():
    with pytest.raises(ValueError, match="out must be 5 elements"):
        double_by_mask(normal(5), normal(4), masked=True)
    with pytest.raises(ValueError, match=r"strides \(2,\)"):
        double_by_mask(normal(8)[::2], normal(4), masked=True)
    with pytest.raises(TypeError, match="out is torch.float16"):
        double_by_mask(normal(5), normal(5).half(), masked=True)


@pytest.mark.parametrize("n", [*SIZES, 6, 10])
def test_marks(n):
    marked = mark(even_kernel, n)[0]
    assert marked[:n].tolist() == [1 - i % 2 for i in range(n)] and not marked[n:].any()


@pytest.mark.skipif(not INTERPRETED, reason="about the interpreter")
def test_python_decides_about_whole_blocks():
    assert mark(even_and_kernel, 5)[0].tolist() == [1, 0, 1, 0, 1, 0, 1, 0]
    assert mark(ends_or_kernel, 5)[0].tolist() == [1, 0, 0, 0, 0, 0, 0, 0]
    assert not mark(all_not_kernel, 5)[0].any()


def marked(kernel, low, n):
    buffer = torch.zeros(64, dtype=torch.int32, device=DEVICE)
    kernel[(triton.cdiv(n, BLOCK),)](buffer, low, n, BLOCK=BLOCK)
    return [i for i in range(64) if buffer[i]]


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("low", [0, 3, 40])
def test_a_window_has_two_ends(low, n):
    assert marked(window_kernel, low, n) == list(range(low, n))


@pytest.mark.skipif(not INTERPRETED, reason="the compiler rejects both")
def test_of_a_chain_the_last_link_is_left():
    assert marked(chained_kernel, 2, 6) == [0, 1, 2, 3, 4, 5]
    assert marked(precedence_kernel, 2, 6) == [0, 1, 2, 3, 4, 5, 6, 7]


def test_every_ticket_is_drawn_once():
    drawn = tickets(3, 5)
    assert sorted(drawn.flatten().tolist()) == list(range(15))
    if INTERPRETED:
        assert drawn.flatten().tolist() == list(range(15))


@settings(max_examples=15, deadline=None)
@given(tiles_m=st.integers(1, 6), tiles_n=st.integers(1, 6), group=st.integers(1, 8))
def test_swizzle_is_a_reordering(tiles_m, tiles_n, group):
    found = visit(tiles_m, tiles_n, group)
    for pid in range(tiles_m * tiles_n):
        i, j = swizzled(pid // tiles_n, pid % tiles_n, tiles_m, tiles_n, group)
        assert found[i, j] == pid


def test_no_group_of_none():
    with pytest.raises(ValueError, match="group is 0"):
        visit(3, 4, 0)


@settings(max_examples=20, deadline=None)
@given(rows=sides, cols=sides, tile_m=tiles, tile_n=tiles, group=st.integers(1, 5))
def test_double_does_not_depend_on_the_order(rows, cols, tile_m, tile_n, group):
    x = normal(rows, cols)
    assert torch.equal(double(x, tile_m, tile_n, group), 2 * x)


def test_double_stays_inside_its_matrix():
    x = normal(3, 5)
    out, untouched = guarded(15)
    double_kernel[(6,)](x, out, 3, 5, TILE_M=2, TILE_N=2, GROUP=2)
    assert torch.equal(out.view(3, 5), 2 * x) and untouched()


def test_double_refuses_what_it_cannot_read():
    with pytest.raises(ValueError, match="contiguous"):
        double(normal(3, 4).T)
    with pytest.raises(TypeError, match="float64"):
        double(normal(3, 4).double())
