"""The kernels of chapter 13 against whole numbers and float64, at sizes that break careless tiles."""

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from ch07_numerics.tolerance import worst_over_budget
from ch13_matmul.descriptors import fits_descriptor, matmul_descriptors
from ch13_matmul.epilogue import linear_gelu
from ch13_matmul.grouped import grouped_kernel, matmul_grouped
from ch13_matmul.multiply import empty_rows, multiply, readable
from ch13_matmul.naive import DEVICE, matmul_elements
from ch13_matmul.panels import tile_at
from ch13_matmul.persistent import matmul_persistent

TILE = (16, 32, 16)
SIZES = [1, 15, 16, 17, 33]


def whole(*shape, dtype=torch.float16, seed=0):
    """Small whole numbers, whose products and sums float16 holds exactly."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(-3, 4, shape, generator=generator).to(dtype).to(DEVICE)


def normal(*shape, dtype=torch.float16, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator).to(dtype).to(DEVICE)


def product(a, b):
    return (a.cpu().long() @ b.cpu().long()).half()


def by_columns(x):
    return x.T.contiguous().T


@pytest.mark.parametrize("m", SIZES)
def test_grouped_takes_every_size(m):
    for n in SIZES:
        for k in (1, 16, 37):
            a, b = whole(m, k), whole(k, n, seed=1)
            for group in (1, 3):
                assert torch.equal(matmul_grouped(a, b, TILE, group).cpu(), product(a, b))


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 70), st.integers(1, 70), st.integers(0, 50), st.integers(1, 9))
def test_grouped_takes_every_stride(m, n, k, group):
    a, b, wide = whole(2 * m, 2 * k), whole(k, n, seed=1), whole(2 * k, 3 * n, seed=2)
    views = [(a[::2, ::2], b), (a[:m, k:], wide[::2, ::3]), (a[:m, k:], by_columns(b)), (by_columns(a)[m:, :k], b)]
    for left, right in views:
        assert torch.equal(matmul_grouped(left, right, TILE, group).cpu(), product(left, right))


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 40))
def test_elements(m, n, k):
    a, b = whole(m, k), whole(k, n, seed=1)
    assert torch.equal(matmul_elements(a, b, 16).cpu(), product(a, b))
    assert torch.equal(matmul_elements(by_columns(a), by_columns(b), 16).cpu(), product(a, b))


EVERY = [matmul_elements, matmul_grouped, matmul_descriptors, matmul_persistent, multiply]


@pytest.mark.parametrize("multiply", EVERY)
def test_nothing_to_multiply(multiply):
    for m, n, k in [(0, 8, 8), (8, 0, 8), (0, 0, 0)]:
        assert multiply(whole(m, k), whole(k, n)).shape == (m, n)
    assert torch.equal(multiply(whole(3, 0), whole(0, 8)).cpu(), torch.zeros(3, 8).half())


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@pytest.mark.parametrize("multiply", EVERY)
def test_sums_in_float32_rounded_once(multiply, dtype):
    if dtype == torch.bfloat16 and DEVICE == "cpu" and multiply is not matmul_elements:
        pytest.skip("the interpreter's dot multiplies bfloat16 as bit patterns: chapter 11, 11.3")
    for m, n, k in [(5, 8, 264), (17, 8, 72), (1, 40, 8)]:
        a, b = normal(m, k, dtype=dtype), normal(k, n, dtype=dtype, seed=1)
        wide_a, wide_b = a.cpu().double(), b.cpu().double()
        scale = wide_a.abs() @ wide_b.abs()
        out = multiply(a, b)
        assert out.dtype == dtype
        assert worst_over_budget(out, wide_a @ wide_b, k, scale, result=dtype, result_roundings=2) <= 1


def test_multiply_through_tma_rounds_once():
    a, b = normal(33, 75), normal(75, 21, seed=1)
    wide_a, wide_b = a.cpu().double(), b.cpu().double()
    scale = wide_a.abs() @ wide_b.abs()
    assert worst_over_budget(multiply(a, b, small=0), wide_a @ wide_b, 75, scale, result=torch.float16) <= 1


@pytest.mark.parametrize("multiply", EVERY)
def test_what_cannot_be_multiplied(multiply):
    with pytest.raises(ValueError, match="cannot multiply"):
        multiply(whole(3, 4), whole(5, 6))
    with pytest.raises(TypeError, match="dtype"):
        multiply(whole(3, 4), whole(4, 3, dtype=torch.float32))
    with pytest.raises(TypeError, match="dtype"):
        multiply(whole(3, 4, dtype=torch.int8), whole(4, 3, dtype=torch.int8))


@pytest.mark.parametrize("multiply", [matmul_descriptors, matmul_persistent])
@settings(max_examples=12, deadline=None)
@given(m=st.integers(1, 70), n=st.integers(1, 9), k=st.integers(1, 9), columns=st.booleans())
def test_descriptors_at_multiples_of_eight(multiply, m, n, k, columns):
    a, b = whole(m, 8 * k), whole(8 * k, 8 * n, seed=1)
    b = by_columns(b) if columns else b
    assert torch.equal(multiply(a, b, (16, 32, 16), group=2).cpu(), product(a, b))


@pytest.mark.parametrize("multiply", [matmul_descriptors, matmul_persistent])
def test_descriptors_say_what_they_cannot(multiply):
    for m, n, k, name in [(4, 8, 7, "a"), (4, 7, 8, "b"), (4, 7, 8, "out")]:
        b = whole(k, n)
        with pytest.raises(ValueError, match=f"no descriptor for {name}"):
            multiply(whole(m, k), by_columns(b) if name == "out" else b)


@pytest.mark.parametrize("parts", [1, 2])
@pytest.mark.parametrize("flatten", [True, False])
def test_persistent_with_more_tiles_than_programs(parts, flatten):
    a, b = whole(100, 24), whole(24, 136, seed=1)
    out = matmul_persistent(a, b, TILE, group=3, parts=parts, flatten=flatten)
    assert torch.equal(out.cpu(), product(a, b))


@settings(max_examples=12, deadline=None)
@given(st.integers(1, 150), st.integers(1, 150), st.integers(1, 40), st.sampled_from([0, 2**60]))
def test_multiply_any_size_either_way(m, n, k, small):
    a, b = whole(m, k), whole(k, n, seed=1)
    for left, right in [(a, b), (by_columns(a), b), (a, by_columns(b)), (a[:, 1:], b[1:])]:
        out = multiply(left, right, small)
        assert out.is_contiguous() and torch.equal(out.cpu(), product(left, right))


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 9), st.integers(1, 40))
def test_rows_that_tma_can_read(rows, cols):
    x = whole(rows, cols)
    assert fits_descriptor(readable(x)) and torch.equal(readable(x), x)
    assert fits_descriptor(empty_rows(rows, cols, like=x))
    assert readable(x) is x if cols % 8 == 0 else readable(x) is not x


def test_fits_descriptor():
    x = torch.zeros(8, 24, dtype=torch.float16, device=DEVICE)
    assert fits_descriptor(x) and fits_descriptor(x[:, 8:]) and fits_descriptor(x[::2])
    assert not any(map(fits_descriptor, (x.T, x[:, 1:], x[:, ::2], x[:0], whole(8, 7))))


def test_grouped_leaves_alone_what_is_not_its_own():
    m, n, k = 17, 19, 5
    a, b = whole(m, k), whole(k, n, seed=1)
    memory = torch.full((m * n + 128,), 99.0, device=DEVICE).half()
    grouped_kernel[(4,)](
        a, b, memory[64:], m, n, k, k, 1, n, 1, BLOCK_M=16, BLOCK_N=16, BLOCK_K=16, GROUP=2,
    )
    assert torch.equal(memory[64 : 64 + m * n].view(m, n).cpu(), product(a, b))
    assert (memory[:64] == 99).all() and (memory[64 + m * n :] == 99).all()


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 40))
def test_epilogue_is_one_rounding_of_the_truth(m, n, k):
    x, w, bias = normal(m, k), normal(k, n, seed=1), normal(1, n, seed=2)
    wide_x, wide_w, wide_bias = x.cpu().double(), w.cpu().double(), bias.cpu().double()
    exact = F.gelu(wide_x @ wide_w + wide_bias, approximate="tanh")
    scale = wide_x.abs() @ wide_w.abs() + wide_bias.abs()
    out = linear_gelu(x, w, bias[0], TILE)
    # GELU's slope is at most 1.13; its own arithmetic rounds about ten times.
    assert worst_over_budget(out, exact, 1.2 * (k + 1) + 10, scale, result=torch.float16) <= 1


def test_epilogue_checks_its_bias():
    x, w = whole(3, 4), whole(4, 5)
    with pytest.raises(ValueError, match="bias must be"):
        linear_gelu(x, w, whole(4))
    with pytest.raises(TypeError, match="bias is"):
        linear_gelu(x, w, whole(5, dtype=torch.float32))


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 12), st.integers(1, 12), st.integers(1, 14))
def test_python_s_order_visits_every_tile_once(tiles_m, tiles_n, group):
    tiles = {tile_at(number, tiles_m, tiles_n, group) for number in range(tiles_m * tiles_n)}
    assert tiles == {(i, j) for i in range(tiles_m) for j in range(tiles_n)}
