"""The kernels of chapter 17 against PyTorch, on sizes and values that break careless masks."""

import pytest
import torch
import triton
import triton.language as tl
from hypothesis import given, settings
from hypothesis import strategies as st

from ch07_numerics.tolerance import worst_over_budget
from ch17_atomics.atomic_sum import DEVICE, ONE, SUM_BLOCK, different, sum_atomic
from ch17_atomics.half_sum import add_ones_kernel
from ch17_atomics.histogram import MOST_BINS, count_blocks, count_each
from ch17_atomics.last import ARRIVED, sum_last
from ch17_atomics.lock import add_rows, add_rows_kernel
from ch17_atomics.lost_lanes import count_lanes_kernel
from ch17_atomics.lost_update import count_up
from ch17_atomics.smooth import colours_by_torch, smooth, smooth_colours
from ch17_atomics.split_k import add_parts, split_matmul
from ch17_atomics.unmasked_bins import bins_kernel

SIZES = [0, 1, SUM_BLOCK - 1, SUM_BLOCK, SUM_BLOCK + 1, 3 * SUM_BLOCK + 7]


def normal(*shape, seed=0):
    return torch.randn(shape, generator=torch.Generator().manual_seed(seed)).to(DEVICE)


def counted(x, bins):
    inside = x[(x >= 0) & (x < bins)].cpu().long()
    return inside.bincount(minlength=bins)


def whole(*shape, seed=0):
    """Small whole numbers: sums of their products are exact in any order."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(-3, 4, shape, generator=generator).float().to(DEVICE)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 400), st.integers(1, 70), st.sampled_from([torch.int32, torch.int64]), st.integers(0, 9))
def test_both_histograms_count_what_is_in_range(n, bins, dtype, seed):
    generator = torch.Generator().manual_seed(seed)
    x = torch.randint(-5, bins + 5, (n,), generator=generator, dtype=dtype).to(DEVICE)
    assert torch.equal(count_each(x, bins).cpu().long(), counted(x, bins))
    assert torch.equal(count_each(x, bins, copies=3).cpu().long(), counted(x, bins))
    assert torch.equal(count_blocks(x, bins, 64, 3).cpu().long(), counted(x, bins))


@pytest.mark.parametrize("value", [0, 255, 256, -1, -(2**31), 2**31 - 1, 2**32 + 1])
def test_histograms_of_one_value(value):
    x = torch.full((5000,), value, dtype=torch.int64, device=DEVICE)
    assert torch.equal(count_each(x, 256).cpu().long(), counted(x, 256))
    assert torch.equal(count_blocks(x, 256).cpu().long(), counted(x, 256))


def test_histograms_of_many_bins():
    x = torch.arange(3000, device=DEVICE)
    assert torch.equal(count_blocks(x, MOST_BINS), torch.ones(MOST_BINS, dtype=torch.int32, device=DEVICE))
    with pytest.raises(ValueError, match="bins <= 2048"):
        count_blocks(x, MOST_BINS + 1)
    assert count_each(x, 10**6).sum().item() == 3000


@pytest.mark.parametrize("count", [count_each, count_blocks])
def test_histograms_refuse_what_they_cannot_count(count):
    with pytest.raises(TypeError, match="int32 or int64"):
        count(torch.ones(4, device=DEVICE), 4)
    with pytest.raises(ValueError, match="strides"):
        count(torch.zeros(8, dtype=torch.int64, device=DEVICE)[::2], 4)
    with pytest.raises(ValueError, match="0 copies"):
        count_each(torch.zeros(8, dtype=torch.int64, device=DEVICE), 4, copies=0)
    with pytest.raises(ValueError, match="in 0 bins"):
        count(torch.zeros(8, dtype=torch.int64, device=DEVICE), 0)


def test_a_histogram_in_range_is_the_same_masked_or_not():
    x = torch.tensor([0, 3, 3, 1], dtype=torch.int32, device=DEVICE)
    for in_range in (False, True):
        counts = torch.empty(4, dtype=torch.int32, device=DEVICE)
        bins_kernel[(1,)](x, counts, 4, BLOCK=32, BINS=4, IN_RANGE=in_range)
        assert counts.tolist() == [1, 1, 0, 2]


@pytest.mark.parametrize("n", SIZES)
def test_sums_of_whole_numbers_are_exact(n):
    x = whole(n)
    assert sum_atomic(x).item() == x.sum().item()
    assert sum_atomic(x, fixed=True).item() == x.sum().item() * ONE
    assert sum_last(x, block=256).item() == x.sum().item()
    assert ARRIVED.item() == 0


def test_fixed_point_is_within_half_a_unit_for_each_term():
    x = torch.randn(2000, generator=torch.Generator().manual_seed(1)).to(DEVICE)
    got = sum_atomic(x, fixed=True).item() / ONE
    assert abs(got - x.double().sum().item()) <= 2000 / 2 / ONE


def test_fixed_point_rounds_to_the_nearest_unit():
    units = [2.0**23 + 1, 2.0**23 + 2, -(2.0**23) - 1, 2.0**24 + 2, 0.49999997, 0.5, -0.5, 0.6, -0.4, 1.5, -1e-9]
    for value in units:
        x = torch.tensor([value / ONE], device=DEVICE)
        assert abs(sum_atomic(x, fixed=True).item() - value) <= 0.5


def test_the_order_of_programs_does_not_matter_in_fixed_point():
    x = torch.randn(1000, generator=torch.Generator().manual_seed(2)).to(DEVICE)
    there, back = sum_atomic(x, True, block=128), sum_atomic(x.flip(0).contiguous(), True, block=64)
    assert there.item() == back.item()


def test_the_last_one_adds_up_over_and_over():
    x = normal(5000, seed=3)
    sums = [sum_last(x, block=128, programs=8) for _ in range(5)]
    assert different(sums) == 1
    wide = x.cpu().double()
    # Additions in a lane, and two trees: of the lanes, and of the parts.
    assert worst_over_budget(sums[0], wide.sum(), 5 + 7 + 10, wide.abs().sum()) <= 1
    with pytest.raises(ValueError, match="programs"):
        sum_last(x, programs=0)


def test_sums_refuse_other_tensors():
    for total in (sum_atomic, sum_last):
        with pytest.raises(TypeError, match="float32"):
            total(torch.ones(4, dtype=torch.float64, device=DEVICE))
        with pytest.raises(ValueError, match="contiguous"):
            total(torch.ones(8, device=DEVICE)[::2])


def test_different_tells_bit_patterns_apart():
    zeros = [torch.tensor(0.0), torch.tensor(-0.0), torch.tensor(0.0)]
    assert different(zeros) == 2


@pytest.mark.parametrize("n", [0, 1, 1000])
def test_ones_by_atomics(n):
    out = torch.zeros(1, device=DEVICE)
    add_ones_kernel[(4,)](out, n, BLOCK=256)
    assert out.item() == n


@pytest.mark.parametrize("programs", [0, 1, 50])
def test_atomic_counts_lose_nothing(programs):
    assert count_up(programs, atomic=True) == programs


def test_lanes_of_a_block_by_atomics():
    x = torch.tensor([0, 1, 1, 2, 2], device=DEVICE)
    counts = torch.zeros(3, dtype=torch.int32, device=DEVICE)
    count_lanes_kernel[(1,)](x, counts, 5, ATOMIC=True, BLOCK=8)
    assert counts.tolist() == [1, 2, 2]


@pytest.mark.parametrize("n", [0, 1, 2, 3, 127, 128, 129, 130, 131, 400])
def test_smoothing_into_another_tensor_and_in_two_colours(n):
    x = whole(n)
    right, out = x.clone(), x.clone()
    if n > 2:
        right[1:-1] = (x[:-2] + x[2:]) * 0.5
    smooth(x, out, block=64)
    assert torch.equal(out, right)
    wanted = colours_by_torch(x) if n > 3 else right
    smooth_colours(x)
    assert torch.equal(x, wanted)


def test_smoothing_refuses_a_shorter_output():
    with pytest.raises(ValueError, match="8 elements into 7"):
        smooth(torch.zeros(8, device=DEVICE), torch.zeros(7, device=DEVICE))


@pytest.mark.parametrize("shape", [(0, 3), (3, 0), (1, 1), (5, 31), (7, 33)])
def test_rows_under_a_lock(shape):
    x = whole(*shape)
    assert torch.equal(add_rows(x), x.sum(0))


def test_a_lock_is_open_afterwards():
    x, out = whole(3, 8), torch.zeros(8, device=DEVICE)
    lock = torch.zeros(1, dtype=torch.int32, device=DEVICE)
    add_rows_kernel[(3,)](x, out, lock, 8, BARRIER=True, SEM="release", BLOCK=8)
    assert lock.item() == 0 and torch.equal(out, x.sum(0))
    with pytest.raises(TypeError, match="float32 matrix"):
        add_rows(out)


@settings(max_examples=30, deadline=None)
@given(
    st.integers(0, 40), st.integers(0, 40), st.integers(0, 120), st.integers(1, 9),
    st.sampled_from(["atomic", "parts", "last"]), st.integers(1, 4), st.booleans(), st.booleans(),
)  # fmt: skip
def test_split_matmul_on_any_shape(m, n, k, splits, way, group, a_turned, b_turned):
    a, b = whole(m, k), whole(k, n, seed=1)
    left = a.T.contiguous().T if a_turned else a
    right = b.T.contiguous().T if b_turned else b
    out = split_matmul(left, right, (16, 16, 16), splits, way, group)
    assert torch.equal(out, a @ b)


def test_split_matmul_in_half_precision():
    a, b = whole(20, 100).half(), whole(100, 30, seed=1).half()
    for way in ("atomic", "parts", "last"):
        out = split_matmul(a, b, (16, 16, 16), 5, way, 2)
        assert out.dtype == torch.float16
        assert torch.equal(out.float(), a.float() @ b.float())


@settings(max_examples=15, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(1, 200), st.integers(1, 9), st.integers(1, 4))
def test_split_matmul_of_real_numbers(m, n, k, splits, group):
    a, b = normal(m, k), normal(k, n, seed=1)
    left, right = a.cpu().double(), b.cpu().double()
    scale = left.abs() @ right.abs()
    for way in ("atomic", "parts", "last"):
        out = split_matmul(a, b, (16, 16, 16), splits, way, group)
        assert worst_over_budget(out, left @ right, 2 * k + splits, scale) <= 1


@triton.jit
def add_two_kernel(parts_ptr, out_ptr, every, size):
    inside = tl.arange(0, 16) < 16
    first = tl.program_id(0)
    tl.store(out_ptr + tl.arange(0, 16), add_parts(parts_ptr + tl.arange(0, 16), inside, first, 2, every, size))


def test_parts_may_lie_further_apart_than_an_int32_counts():
    try:
        parts = torch.empty(2**31 + 16, device=DEVICE)
    except RuntimeError:
        pytest.skip("no address space for eight gibibytes")
    parts[:16], parts[-16:] = 1, 2
    out = torch.zeros(16, device=DEVICE)
    add_two_kernel[(1,)](parts, out, 8, 2**28)
    assert out.tolist() == [3] * 16


def test_two_ways_give_the_same_bits_each_time():
    generator = torch.Generator().manual_seed(4)
    a = torch.randn(17, 200, generator=generator).to(DEVICE)
    b = torch.randn(200, 19, generator=generator).to(DEVICE)
    for way in ("parts", "last"):
        assert different([split_matmul(a, b, (16, 16, 16), 4, way, 2) for _ in range(3)]) == 1


def test_split_matmul_refuses_what_it_cannot_do():
    a = whole(4, 5)
    with pytest.raises(ValueError, match="cannot multiply"):
        split_matmul(a, a)
    with pytest.raises(TypeError, match="one dtype"):
        split_matmul(a, whole(5, 3).half())
    with pytest.raises(ValueError, match="no such way"):
        split_matmul(a, whole(5, 3), way="other")
    with pytest.raises(ValueError, match="0 splits"):
        split_matmul(a, whole(5, 3), splits=0)
    with pytest.raises(ValueError, match="1, 65536, 1.* axis 1 or 2"):
        split_matmul(whole(1, 1), torch.zeros(1, 2**20, device=DEVICE), (16, 16, 16))
