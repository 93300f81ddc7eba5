"""The kernels of chapter 7 against float64, with tolerances by the rule of its section 7.5."""

import math
import warnings

import numpy as np
import pytest
import torch
import triton.language as tl
from hypothesis import given, settings
from hypothesis import strategies as st

# Importing the traps runs them, and NumPy warns where they show infinity and NaN.
warnings.simplefilter("ignore", RuntimeWarning)

from ch07_numerics.bf16_patterns import bf16_kernel
from ch07_numerics.cast import DEVICE, cast
from ch07_numerics.dot_rows import dot_rows, dot_roundings, dot_truth
from ch07_numerics.exp_reach import exp_bound
from ch07_numerics.float_argument import times_kernel
from ch07_numerics.functions import NAMES, apply
from ch07_numerics.half_squares import rms_norm
from ch07_numerics.half_sum import half_sum_kernel
from ch07_numerics.masked_softmax import masked_softmax
from ch07_numerics.promotion import DTYPES, one, pair_kernel
from ch07_numerics.row_sums import HOWS, row_sum
from ch07_numerics.special_values import special_kernel
from ch07_numerics.square_difference import square_difference_kernel
from ch07_numerics.stall import running_sum
from ch07_numerics.subnormals import tiny_kernel
from ch07_numerics.to_int import to_int_kernel
from ch07_numerics.tolerance import budget, worst_over_budget
from ch07_numerics.ulps import cases, ulp, ulp_error
from ch07_numerics.where_gradient import root_backward_kernel

BLOCK = 16
SIZES = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 3]
HALVES = [torch.float16, torch.bfloat16]
EPS = 2.0**-23

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")


def normal(*shape, seed=0):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(DEVICE)


def cut(x):
    """float32 to bfloat16 by dropping the low half of each word."""
    return (x.view(torch.int32) >> 16).to(torch.int16).view(torch.bfloat16)


# The rule itself.


def test_budget_counts_half_eps():
    one_ = torch.ones(1, dtype=torch.float64)
    assert budget(one_, 2).item() == pytest.approx(EPS)
    assert budget(one_, 2, scale=10 * one_).item() == pytest.approx(10 * EPS)
    assert budget(one_, 0, result=torch.bfloat16).item() == pytest.approx(2.0**-8)
    assert budget(one_, 0, result=torch.bfloat16, result_roundings=2).item() == pytest.approx(2.0**-7)
    assert budget(0 * one_, 5).item() > 0


@settings(max_examples=50, deadline=None)
@given(st.lists(st.floats(-1e6, 1e6, width=32), min_size=1, max_size=20), st.integers(0, 9))
def test_no_correctly_rounded_chain_exceeds_its_budget(numbers, seed):
    """numpy rounds after each step, so k - 1 additions are k - 1 roundings."""
    x = torch.tensor(numbers, dtype=torch.float32)[torch.randperm(len(numbers), generator=torch.Generator().manual_seed(seed))]
    total = np.float32(0.0)
    for value in x.numpy():
        total = np.float32(total + value)
    truth = torch.tensor([math.fsum(x.tolist())], dtype=torch.float64)
    scale = x.double().abs().sum()
    assert worst_over_budget(torch.tensor([total]), truth, len(numbers), scale) <= 1


def test_worst_over_budget_sees_a_wrong_result_and_an_empty_one():
    truth = torch.ones(3, dtype=torch.float64)
    assert worst_over_budget(torch.tensor([1.0, 1.0, 1.00001]), truth, 2) > 50
    assert worst_over_budget(torch.empty(0), truth[:0], 2) == 0


# 7.1


@pytest.mark.parametrize("a", DTYPES)
@pytest.mark.parametrize("b", DTYPES)
def test_the_type_of_a_sum_by_the_rules_of_the_page(a, b):
    out = torch.full((2,), -1, dtype=torch.int32, device=DEVICE)
    signs_differ = "uint8" in (a, b) and a != b and "int" in a and "int" in b
    pair_kernel[(1,)](one(a), one(b), out, DIVIDE=not signs_differ)
    total = DTYPES[out[0].item()]
    floats = [name for name in (a, b) if "float" in name]
    for widest in ("float64", "float32", "float16"):
        if widest in floats:
            assert total == widest
            break
    else:
        if floats:
            # bfloat16 stays where both are; an integer beside it makes float32
            assert total == ("bfloat16" if len(floats) == 2 else "float32")
        else:
            bits = {name: int(name.lstrip("uint")) for name in (a, b)}
            assert int(total.lstrip("uint")) == max(bits.values())
    if not signs_differ:
        assert DTYPES[out[1].item()] == ("float64" if "float64" in (a, b) else "float32")


def test_a_quotient_of_signed_and_unsigned_is_refused():
    out = torch.full((2,), -1, dtype=torch.int32, device=DEVICE)
    with pytest.raises(Exception, match="different signedness"):
        pair_kernel[(1,)](one("int8"), one("uint8"), out, DIVIDE=True)


@pytest.mark.parametrize("n", [1, 3, 4, 5])
def test_a_widened_factor_is_a_float32_factor(n):
    x = normal(n).half()
    plain, wide = torch.empty(n, device=DEVICE), torch.empty(n, device=DEVICE)
    times_kernel[(-(-n // 4),)](x, plain, wide, 0.1, n, BLOCK=4)
    assert worst_over_budget(wide, 0.1 * x.double().cpu(), 2) <= 1


# 7.2 and 7.3


@pytest.mark.parametrize("dtype", HALVES)
@pytest.mark.parametrize("n", SIZES)
def test_cast_covers_every_size(dtype, n):
    out = cast(normal(n), dtype, block=BLOCK)
    assert out.dtype == dtype and out.shape == (n,)
    assert worst_over_budget(out, normal(n).double().cpu(), 0, result=dtype, result_roundings=2) <= 1


def test_cast_to_float16_is_torchs_on_every_half_and_between_them():
    halves = torch.arange(2**16).to(torch.int16).view(torch.float16)
    halves = halves[halves.isfinite()].sort().values.float()
    between = (halves[1:] + halves[:-1]) / 2
    for x in (halves, between, torch.nextafter(between, halves[1:]), torch.nextafter(between, halves[:-1])):
        assert torch.equal(cast(x.to(DEVICE), torch.float16, block=8192).cpu(), x.half())


def test_interpreted_bfloat16_is_cut_in_the_normal_range():
    x = normal(5000) * torch.logspace(-30, 30, 5000, device=DEVICE)
    assert torch.equal(cast(x, torch.bfloat16), cut(x))
    assert torch.equal(cast(x, torch.bfloat16, "rtz"), cut(x))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(2.0**-13, 60000, width=32), min_size=1, max_size=20))
def test_rtz_never_grows(values):
    x = torch.tensor(values, dtype=torch.float32, device=DEVICE)
    for dtype in HALVES:
        out = cast(x, dtype, "rtz", block=32).float()
        assert (out <= x).all() and (out >= x * (1 - torch.finfo(dtype).eps)).all()


def test_cast_refuses_what_it_cannot_convert():
    with pytest.raises(TypeError, match="float64, wanted torch.float32"):
        cast(normal(4).double(), torch.float16)
    with pytest.raises(TypeError, match="to torch.int32"):
        cast(normal(4), torch.int32)
    with pytest.raises(ValueError, match=r"shape \(2,\), strides \(2,\)"):
        cast(normal(4)[::2], torch.float16)
    with pytest.raises(ValueError, match="meta"):
        cast(torch.empty(4, device="meta"), torch.float16)


def test_bfloat16_computes_where_it_is_widened():
    a, b = normal(7).bfloat16(), normal(7, seed=1).bfloat16()
    out = torch.zeros_like(a)
    for op, truth in (("a + b, widened", a.double() + b.double()), ("tl.maximum(a, b)", torch.maximum(a, b).double()),
                      ("a / b", a.double() / b.double())):
        bf16_kernel[(1,)](a, b, out, 7, OP=op, BLOCK=8)
        assert worst_over_budget(out, truth, 2, result=torch.bfloat16, result_roundings=2) <= 1


@pytest.mark.parametrize("shape", [(0, 4), (4, 0), (1, 1), (3, 15), (3, 16), (3, 17)])
@pytest.mark.parametrize("size", [1.0, 300.0, 1e-4])
def test_rms_norm_in_float32(shape, size):
    x = (size * normal(*shape)).half()
    wide = x.double().cpu()
    truth = wide / (wide.square().mean(1, keepdim=True) + 1e-12).sqrt()
    assert worst_over_budget(rms_norm(x, 1e-12), truth, 12, result=torch.float16) <= 1


def test_rms_norm_adds_eps_to_the_mean():
    x = normal(3, 15).half()
    wide = x.double().cpu()
    truth = wide / (wide.square().mean(1, keepdim=True) + 0.5).sqrt()
    assert worst_over_budget(rms_norm(x, 0.5), truth, 12, result=torch.float16) <= 1


def test_tiny_numbers_stay_in_the_interpreter():
    x, out = torch.tensor([2.0**-130], device=DEVICE), torch.empty(7, device=DEVICE)
    tiny_kernel[(1,)](x, out, -130.0)
    assert out[:5].tolist() == [2.0**-131, 2.0**-129, 2.0**-65, 2.0**-65, 2.0**65]


@pytest.mark.parametrize("n", [1, 7, 8, 9])
def test_to_int_cuts_toward_zero(n):
    x = 1e4 * normal(n)
    out = torch.empty(n, dtype=torch.int32, device=DEVICE)
    to_int_kernel[(-(-n // 8),)](x, out, n, BLOCK=8)
    assert out.tolist() == [math.trunc(v) for v in x.tolist()]


# 7.4


@pytest.mark.parametrize("n", [0, 1, 2, 100])
def test_running_sum_rounds_after_every_step(n):
    x = normal(n)
    for dtype, kind in ((torch.float32, np.float32), (torch.float16, np.float16)):
        total, sums = kind(0.0), []
        for value in x.cpu().numpy():
            total = kind(np.float32(total) + value)
            sums.append(float(total))
        assert running_sum(x, dtype).tolist() == sums
    total, sums = torch.zeros(1), []
    for value in x.cpu():
        total = cut(total + value).float()
        sums.append(total.item())
    assert running_sum(x, torch.bfloat16).tolist() == sums


@settings(max_examples=25, deadline=None)
@given(rows=st.integers(0, 4), cols=st.integers(0, 60), how=st.sampled_from(HOWS),
       block=st.sampled_from([1, 2, 16, 64]), seed=st.integers(0, 99))
def test_row_sum_stays_within_its_budget(rows, cols, how, block, seed):
    x = normal(rows, cols, seed=seed)
    wide = x.double().cpu()
    truth, scale = wide.sum(1), wide.abs().sum(1)
    roundings = {"plain": -(-cols // block) + block.bit_length(), "kahan": 3 + block.bit_length(), "double": 1}[how]
    # Kahan's bound has a second term, cols * eps ** 2, far below one rounding here.
    assert worst_over_budget(row_sum(x, how, block), truth, roundings, scale) <= 1


def test_kahan_and_double_keep_what_one_float32_loses():
    x = torch.ones(1, 65, device=DEVICE)
    x[0, 0] = 2.0**24
    assert row_sum(x, "plain", 1).item() == 2**24
    assert row_sum(x, "kahan", 1).item() == row_sum(x, "double", 1).item() == 2**24 + 64


@pytest.mark.parametrize("n", [1, 15, 16, 17, 32])
def test_a_widened_half_sum(n):
    x, out = normal(n).half(), torch.empty(2, device=DEVICE)
    half_sum_kernel[(1,)](x, out, n, BLOCK=32)
    wide = x.double().cpu()
    assert worst_over_budget(out[1:], wide.sum().reshape(1), 6, wide.abs().sum()) <= 1


# 7.5


@pytest.mark.parametrize("n", [1, 255, 256, 257])
def test_difference_of_squares(n):
    x, y, out = normal(n), normal(n, seed=1), torch.empty(4, n, device=DEVICE)
    square_difference_kernel[(-(-n // 256),)](x, y, out, n, BLOCK=256)
    a, b = x.double().cpu(), y.double().cpu()
    assert worst_over_budget(out[0], a * a - b * b, 2, a * a + b * b) <= 1
    assert worst_over_budget(out[2], a * a - b * b, 3) <= 1


def test_ulp_is_numpys_spacing():
    x = torch.cat([normal(1000), torch.tensor([1.0, 2.0, 0.75], device=DEVICE)]).cpu()
    assert torch.equal(ulp(x.double()).float(), torch.from_numpy(np.spacing(x.abs().numpy())))


def test_functions_are_within_a_few_ulps_interpreted():
    found = set()
    for name, x, y, truth in cases(500):
        y = None if y is None else y.to(DEVICE)
        assert ulp_error(apply(name, x.to(DEVICE), y, 128), truth).max() < 4
        found.add(name)
    assert found == set(NAMES)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("n", SIZES)
def test_functions_cover_every_size(name, n):
    x = normal(n).abs() + 0.1
    assert apply(name, x, block=BLOCK).shape == x.shape
    assert apply(name, x, block=BLOCK).isfinite().all()


def test_apply_refuses_what_it_cannot_read():
    with pytest.raises(TypeError, match="x is torch.float16"):
        apply("exp", normal(4).half())
    with pytest.raises(ValueError, match="y must be contiguous like x"):
        apply("x / y", normal(4), normal(5))
    with pytest.raises(Exception, match="unknown NAME"):
        apply("tanh", normal(4))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.floats(-80, 80, width=32), min_size=1, max_size=30))
def test_exp_stays_below_the_derived_bound(values):
    x = torch.tensor(values, dtype=torch.float32)
    error = apply("exp", x.to(DEVICE), block=32).cpu().double() / x.double().exp() - 1
    assert (error.abs() <= EPS * exp_bound(x)).all()


@settings(max_examples=25, deadline=None)
@given(rows=st.integers(0, 4), cols=st.integers(0, 60), block=st.sampled_from([1, 2, 16, 64]), seed=st.integers(0, 99))
def test_dot_rows_stays_within_its_budget(rows, cols, block, seed):
    x, w = normal(rows, cols, seed=seed).half(), normal(cols, seed=seed + 1).half()
    truth, scale = dot_truth(x, w)
    out = dot_rows(x, w, block=block)
    assert out.shape == (rows,)
    assert worst_over_budget(out, truth, dot_roundings(cols, block), scale) <= 1


def test_the_budget_rejects_narrow_sums_and_a_lost_column():
    x, w = normal(8, 200).half(), normal(200, seed=1).half()
    truth, scale = dot_truth(x, w)
    k = dot_roundings(200, 16)
    assert worst_over_budget(dot_rows(x, w, acc=tl.float16, block=16), truth, k, scale) > 1
    x[:, -1] = 0.0
    assert worst_over_budget(dot_rows(x, w, block=16), truth, k, scale) > 1


def test_dot_rows_refuses_what_it_cannot_read():
    with pytest.raises(TypeError, match="w is torch.float32"):
        dot_rows(normal(2, 3).half(), normal(3))
    with pytest.raises(ValueError, match=r"x is \(2, 3\), w is \(4,\)"):
        dot_rows(normal(2, 3).half(), normal(4).half())
    with pytest.raises(ValueError, match=r"strides \(1, 3\)"):
        dot_rows(normal(2, 3).half().T, normal(2).half())


# 7.6


@pytest.mark.parametrize("n", [1, 3, 4])
def test_ordinary_values_pass_the_special_kernel(n):
    x, out, sums = normal(n), torch.empty(13, n, device=DEVICE), torch.empty(3, device=DEVICE)
    special_kernel[(1,)](x, out, sums, n, 1.0, BLOCK=4)
    expected = [x < 1, x > 1, x == x, x != x, x - x, 0 * x, x.clamp(min=1), x.clamp(min=1), x.clamp(min=1),
                x.clamp(max=1), x.clamp(-1, 1)]
    for row, truth in zip(out, expected):
        assert torch.equal(row, truth.float())


@settings(max_examples=25, deadline=None)
@given(rows=st.integers(0, 4), cols=st.integers(0, 20), hidden=st.floats(0, 1), seed=st.integers(0, 99))
def test_masked_softmax_is_torchs_and_zero_where_all_is_masked(rows, cols, hidden, seed):
    x = 3 * normal(rows, cols, seed=seed)
    x[normal(rows, cols, seed=seed + 1).sigmoid() < hidden] = -math.inf
    truth = torch.softmax(x.double(), 1).nan_to_num(0.0).cpu()
    out = masked_softmax(x)
    assert out.shape == x.shape
    # x - max, exp, the sum of up to 32, the quotient; exp's own argument can be off by eps * |x|
    assert worst_over_budget(out, truth, 40) <= 1


@pytest.mark.parametrize("n", [1, 3, 4, 5])
def test_the_gradient_of_a_root_is_chosen_last(n):
    x, grad = normal(n), normal(n, seed=1)
    early, late = torch.empty(n, device=DEVICE), torch.empty(n, device=DEVICE)
    root_backward_kernel[(-(-n // 4),)](x, grad, early, late, n, BLOCK=4)
    wide = x.double().cpu()
    truth = torch.where(wide > 0, grad.double().cpu() * 0.5 / wide.sqrt(), 0.0)
    assert worst_over_budget(late, truth, 4) <= 1


def test_the_gradient_of_a_root_is_zero_at_zero():
    x = torch.tensor([4.0, 0.0, -0.0, -1.0], device=DEVICE)
    early, late = torch.empty(4, device=DEVICE), torch.empty(4, device=DEVICE)
    root_backward_kernel[(1,)](x, torch.ones(4, device=DEVICE), early, late, 4, BLOCK=4)
    assert late.tolist() == [0.25, 0.0, 0.0, 0.0]
    assert early.isnan().tolist() == [False, True, True, True]


@pytest.mark.parametrize("fn", [rms_norm, masked_softmax, row_sum, lambda x: running_sum(x, torch.float32)])
def test_wrappers_refuse_what_their_kernels_cannot_read(fn):
    with pytest.raises(TypeError, match="int64"):
        fn(torch.zeros(2, 2, dtype=torch.int64, device=DEVICE))
    dtype = torch.float16 if fn is rms_norm else torch.float32
    with pytest.raises(ValueError, match="contiguous"):
        fn(torch.zeros(3, 2, dtype=dtype, device=DEVICE).T)
    with pytest.raises(ValueError, match="meta"):
        fn(torch.empty(2, 2, dtype=dtype, device="meta"))
