"""The kernels of chapter 15 against float64, with tolerances by the rule of section 7.5."""

import math
import warnings

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

warnings.simplefilter("ignore", RuntimeWarning)

from ch07_numerics.tolerance import worst_over_budget
from ch15_softmax import norm_backward as backward
from ch15_softmax import online
from ch15_softmax.layer_norm import DEVICE, layer_norm
from ch15_softmax.no_shift import plain_softmax
from ch15_softmax.norm_backward import LayerNorm, RMSNorm, norm_backward
from ch15_softmax.online import Softmax, softmax_any, softmax_online, softmax_online_backward
from ch15_softmax.online_pair import online_pairs
from ch15_softmax.rms_norm import rms_norm
from ch15_softmax.rows import LIMIT, as_rows, tile_of_rows
from ch15_softmax.softmax import SoftmaxRows, softmax_backward, softmax_rows
from ch15_softmax.three_sweeps import softmax_three
from ch15_softmax.variance_forms import FORMS, variance_as

INF = float("inf")
DTYPES = [torch.float32, torch.float16, torch.bfloat16, torch.float64]
SHAPES = [(1, 1), (5, 7), (9, 8), (3, 129), (70, 17), (1, 2050)]

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")


def small_online(x):
    return softmax_online(x, lanes=8, each=4, warps=1)


def small_three(x):
    return softmax_three(x, block=32, warps=1)


SOFTMAXES = [softmax_rows, small_online, small_three]


def normal(*shape, seed=0, dtype=torch.float32):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed)).to(DEVICE, dtype)


def compute(dtype):
    """The type computed in, and what to tell the rule of the store: the interpreter may cut."""
    wide = torch.promote_types(dtype, torch.float32)
    return {"compute": wide, "result": None if wide == dtype else dtype, "result_roundings": 2}


def softmax_error(y, x):
    """exp is off by |x - max| half eps, and so on; the sum of positive terms by its additions."""
    truth = torch.softmax(x.detach().cpu().double(), -1)
    reach = (x.detach().cpu().double().amax(-1) - x.detach().cpu().double().clamp(min=-1e30).amin(-1)).max().item() if x.numel() else 0
    return worst_over_budget(y, truth, 40 + 4 * reach, **compute(x.dtype))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("fn", SOFTMAXES)
@pytest.mark.parametrize("shape", SHAPES)
def test_softmax(fn, shape, dtype):
    x = 3 * normal(*shape, dtype=dtype)
    y = fn(x)
    assert y.dtype == dtype and y.shape == x.shape
    assert softmax_error(y, x) <= 1


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 6), st.integers(0, 70), st.floats(-1e4, 1e4), st.integers(0, 99))
def test_softmax_of_any_size_and_shift(rows, cols, shift, seed):
    x = normal(rows, cols, seed=seed) + shift
    for fn in SOFTMAXES:
        y = fn(x)
        assert y.shape == x.shape
        assert softmax_error(y, x) <= 1


@pytest.mark.parametrize("fn", [softmax_any, *SOFTMAXES])
@pytest.mark.parametrize("shape", [(0,), (0, 5), (5, 0), (2, 0, 3)])
def test_softmax_of_nothing(fn, shape):
    assert fn(normal(*shape)).shape == shape


@pytest.mark.parametrize("fn", SOFTMAXES)
def test_softmax_of_hidden_scores(fn):
    """Zeros for a row of -inf; elsewhere what torch gives, wherever the first score stands."""
    x = normal(6, 90)
    x[0] = -INF
    x[1, :40] = -INF
    x[2, 40:] = -INF
    x[3, 1:] = -INF
    x[4, :-1] = -INF
    y = fn(x)
    assert (y[0] == 0).all()
    assert torch.allclose(y[1:], torch.softmax(x[1:], 1))


@pytest.mark.parametrize("fn", SOFTMAXES)
@pytest.mark.parametrize("bad", [float("nan"), INF])
@pytest.mark.parametrize("place", [0, 45, 89])
def test_softmax_does_not_hide_a_bug_upstream(fn, bad, place):
    x = normal(2, 90)
    x[0, place] = bad
    y = fn(x)
    assert y[0].isnan().any()
    assert torch.allclose(y[1], torch.softmax(x[1], 0))


@pytest.mark.parametrize("fn", SOFTMAXES)
def test_softmax_by_strides(fn):
    x = normal(4, 6, 10)
    for view in (x[0].T, x[0, :, ::2], x[:, 1], x[0, :1].expand(6, 10), x.transpose(0, 1), x[..., 3:], x[0, 0]):
        assert torch.allclose(fn(view), torch.softmax(view, -1))


@pytest.mark.parametrize("fn", SOFTMAXES)
def test_what_softmax_refuses(fn):
    with pytest.raises(TypeError, match="int32"):
        fn(torch.ones(3, 3, dtype=torch.int32, device=DEVICE))
    with pytest.raises(ValueError, match="meta"):
        fn(torch.ones(3, 3, device="meta"))


def test_a_row_too_long_for_a_block_goes_online():
    x = normal(1, LIMIT + 1)
    with pytest.raises(ValueError, match=str(LIMIT)):
        softmax_rows(x)
    assert torch.allclose(softmax_any(x), torch.softmax(x, 1))
    with pytest.raises(ValueError, match=str(LIMIT)):
        layer_norm(x, x[0], x[0])
    with pytest.raises(ValueError, match=str(LIMIT)):
        rms_norm(x, x[0])


@pytest.mark.parametrize("cols", [1, 2, 3, 1023, 1024, 1025, LIMIT])
def test_a_tile_holds_its_rows(cols):
    for fill in (2048, 4096):
        rows, block, warps = tile_of_rows(cols, 32, fill)
        assert block >= cols and rows & (rows - 1) == 0 and warps & (warps - 1) == 0
        assert rows == 1 or rows * block <= fill


@pytest.mark.parametrize("shape", [(1, 1), (5, 7), (1, 40)])
def test_softmax_gradients(shape):
    x = normal(*shape, dtype=torch.float64).requires_grad_()
    assert torch.autograd.gradcheck(SoftmaxRows.apply, (x,))
    y = torch.softmax(x.detach(), 1)
    grad = normal(*shape, seed=1, dtype=torch.float64)
    wanted = torch._softmax_backward_data(grad, y, 1, torch.float64)
    assert torch.allclose(softmax_backward(grad, y), wanted)
    assert torch.allclose(softmax_online_backward(grad, y, block=16), wanted)


def test_softmax_of_either_kind_differentiates(monkeypatch):
    for limit in (4, 400):
        monkeypatch.setattr(online, "LIMIT", limit)
        x = normal(2, 10, dtype=torch.float64).requires_grad_()
        assert torch.autograd.gradcheck(Softmax.apply, (x,))


def test_softmax_backward_of_an_expanded_gradient():
    x = normal(4, 30).requires_grad_()
    for loss in (lambda y: y[:, :3].sum(), lambda y: (y.sum(0) * x[0].detach()).sum(), lambda y: (y.T @ x.detach()).sum()):
        (ours,) = torch.autograd.grad(loss(Softmax.apply(x)), x)
        (theirs,) = torch.autograd.grad(loss(torch.softmax(x, 1)), x)
        assert torch.allclose(ours, theirs, atol=1e-6)


@given(st.lists(st.sampled_from([-INF, -3.0, 0.0, 2.0, 50.0]), min_size=1, max_size=9))
@settings(max_examples=40, deadline=None)
def test_the_running_pair_is_that_of_the_prefix(numbers):
    x = torch.tensor(numbers).to(DEVICE)
    for turn, (largest, total) in enumerate(online_pairs(x)):
        seen = x[: 2 * turn + 2]
        assert largest == seen.max()
        wanted = (seen - seen.max()).exp().sum().item() if seen.max() > -INF else 0.0
        assert total.item() == pytest.approx(wanted)


def test_without_a_guard_one_empty_turn_is_enough():
    x = torch.tensor([-INF, -INF, 1.0, 2.0]).to(DEVICE)
    assert math.isnan(online_pairs(x, guard=False)[-1, 1])


def test_the_plain_softmax_fails_where_the_page_says():
    x = torch.tensor([[0.0, 1.0, 2.0]]).to(DEVICE)
    assert torch.allclose(plain_softmax(x + 80), torch.softmax(x, 1), atol=1e-6)
    assert plain_softmax(x + 90).isnan().any() and plain_softmax(x - 200).isnan().any()


# The norms.


def norm_error(y, x, weight, bias, centered, eps=1e-5):
    """Ten roundings of an element and of its row's statistic, and one for each doubling of its sum."""
    x, weight = x.detach().cpu().double(), weight.detach().cpu().double()
    away = x - x.mean(-1, keepdim=True) if centered else x
    rstd = (away.square().mean(-1, keepdim=True) + eps).rsqrt()
    truth = away * rstd * weight
    scale = truth.abs() + x.abs().mean(-1, keepdim=True) * rstd * weight.abs()
    if bias is not None:
        truth = truth + bias.detach().cpu().double()
        scale = scale + bias.detach().cpu().double().abs()
    return worst_over_budget(y, truth, 40, scale, **compute(y.dtype))


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("shape", SHAPES)
def test_norms(shape, dtype):
    x = normal(*shape, dtype=dtype) + 1
    weight, bias = normal(2, shape[1], seed=1, dtype=dtype)
    y, mean, rstd = layer_norm(x, weight, bias)
    assert y.dtype == dtype and mean.dtype == rstd.dtype == torch.promote_types(dtype, torch.float32)
    assert norm_error(y, x, weight, bias, True) <= 1
    y, rstd = rms_norm(x, weight)
    assert y.dtype == dtype and rstd.shape == (shape[0],)
    assert norm_error(y, x, weight, None, False) <= 1


def gradient_error(found, truth, x, weight, grad, rstd, centered):
    """Sixty roundings of a term, and one for each row that is added up; scales are sums of absolute values."""
    kind = compute(found[0].dtype)
    x, weight, grad = (t.detach().cpu().double().reshape(-1, x.shape[-1]) for t in (x, weight, grad))
    rstd, level = rstd.cpu().double()[:, None], x.abs().mean(-1, keepdim=True)
    unit = (x.abs() + level) * rstd
    pull = (grad * weight).abs()
    scale = pull + unit * (pull * unit).mean(-1, keepdim=True)
    if centered:
        scale += pull.mean(-1, keepdim=True)
    scales = [(scale * rstd).reshape(found[0].shape), (grad.abs() * unit).sum(0), grad.abs().sum(0)]
    errors = [
        worst_over_budget(a, b.detach().cpu().double(), 60 + len(x), scale, **kind)
        for a, b, scale in zip(found, truth, scales)
    ]
    assert len(found) == len(truth) == 2 + centered
    return max(errors)


def test_norms_by_strides():
    """Rows apart by any step, forward and backward, with the bits of a packed copy."""
    x = normal(4, 6, 10)
    for view in (x[0, :, 3:], x[0].T, x[0, :1].expand(6, 10), x[:2, 1]):
        weight, bias = normal(2, view.shape[-1], seed=1)
        y, mean, rstd = layer_norm(view, weight, bias)
        assert norm_error(y, view, weight, bias, True) <= 1
        assert norm_error(rms_norm(view, weight)[0], view, weight, None, False) <= 1
        packed, other = view.contiguous(), normal(*view.shape, seed=2)
        for wide in (0, 8192):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(backward, "WIDEST", wide)
                wanted = norm_backward(other, packed, weight, mean, rstd, 2)
                assert all(map(torch.equal, norm_backward(other, view, weight, mean, rstd, 2), wanted))
                wanted = norm_backward(packed, other, weight, mean, rstd, 2)
                assert all(map(torch.equal, norm_backward(view, other, weight, mean, rstd, 2), wanted))


def test_layer_norm_far_from_zero():
    """The statistic is that of the deviations: an offset of 10000 costs no more than its own rounding."""
    x = normal(3, 700) + 10000
    one, nought = torch.ones(700, device=DEVICE), torch.zeros(700, device=DEVICE)
    _, mean, rstd = layer_norm(x, one, nought)
    truth = x.double().var(1, correction=0)
    assert torch.allclose(rstd.double(), (truth + 1e-5).rsqrt(), rtol=1e-5)


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 40), st.integers(1, 150), st.integers(1, 9), st.booleans(), st.booleans())
def test_norm_gradients_of_any_size(rows, cols, programs, centered, wide):
    """In one block, and in tiles as rows of more than WIDEST are."""
    x, grad = normal(2, rows, cols, seed=rows, dtype=torch.float64)
    weight, bias = normal(2, cols, seed=2, dtype=torch.float64)
    x.requires_grad_(), weight.requires_grad_(), bias.requires_grad_()
    own = (x, weight, bias) if centered else (x, weight)
    if centered:
        _, mean, rstd = layer_norm(x.detach(), weight.detach(), bias.detach())
        y = F.layer_norm(x, (cols,), weight, bias, 1e-5)
    else:
        mean, (_, rstd) = None, rms_norm(x.detach(), weight.detach())
        y = F.rms_norm(x, (cols,), weight, 1e-5)
    wanted = torch.autograd.grad(y, own, grad)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(backward, "WIDEST", 0 if wide else 8192)
        found = norm_backward(grad, x.detach(), weight.detach(), mean, rstd, programs)
    assert gradient_error(found, wanted, x, weight, grad, rstd, centered) <= 1


@pytest.mark.parametrize("dtype", DTYPES[:3], ids=str)
@pytest.mark.parametrize("shape", [(5, 7), (33, 130), (2, 3, 20)])
def test_norms_differentiate(shape, dtype):
    x, grad = normal(2, *shape, dtype=dtype)
    weight, bias = normal(2, shape[-1], seed=1, dtype=dtype)
    for ours, theirs, extra in (
        (LayerNorm, lambda x, w, b: F.layer_norm(x, shape[-1:], w, b, 1e-5), (weight, bias)),
        (RMSNorm, lambda x, w: F.rms_norm(x, shape[-1:], w, 1e-5), (weight,)),
    ):
        own = [t.clone().requires_grad_() for t in (x, *extra)]
        wide = [t.detach().double().requires_grad_() for t in own]
        found = torch.autograd.grad(ours.apply(*own), own, grad)
        wanted = torch.autograd.grad(theirs(*wide), wide, grad.double())
        assert all(t.dtype == dtype for t in found)
        *_, rstd = layer_norm(x, weight, bias) if ours is LayerNorm else rms_norm(x, weight)
        assert gradient_error(found, wanted, x, weight, grad, rstd, ours is LayerNorm) <= 1


def test_norm_backward_of_an_expanded_gradient():
    x = normal(6, 12).requires_grad_()
    weight = normal(12, seed=1).requires_grad_()
    for loss in (lambda y: y.sum(), lambda y: y[:, ::2].sum(), lambda y: (y.T @ x.detach()).sum()):
        ours = torch.autograd.grad(loss(RMSNorm.apply(x, weight)), (x, weight))
        theirs = torch.autograd.grad(loss(F.rms_norm(x, (12,), weight, 1e-5)), (x, weight))
        for a, b in zip(ours, theirs):
            assert torch.allclose(a, b, atol=1e-5)


@pytest.mark.parametrize("shape", [(0, 5), (5, 0)])
def test_norms_of_nothing(shape):
    x = normal(*shape).requires_grad_()
    weight, bias = normal(2, shape[1], seed=1)
    weight.requires_grad_(), bias.requires_grad_()
    y = LayerNorm.apply(x, weight, bias)
    grads = torch.autograd.grad(y.sum(), (x, weight, bias))
    assert [g.shape for g in grads] == [x.shape, weight.shape, bias.shape]
    assert not grads[1].any() and not grads[2].any()
    grads = torch.autograd.grad(RMSNorm.apply(x, weight).sum(), (x, weight))
    assert [g.shape for g in grads] == [x.shape, weight.shape]


def test_statistics_of_rows_without_columns_are_those_of_zeros():
    x, weight = normal(3, 0), normal(0)
    _, mean, rstd = layer_norm(x, weight, weight, 0.25)
    assert mean.tolist() == [0.0] * 3 and rstd.tolist() == [2.0] * 3
    assert rms_norm(x, weight, 0.25)[1].tolist() == [2.0] * 3


def test_a_backward_refuses_statistics_of_other_rows():
    x, weight = normal(3, 4), normal(4)
    _, mean, rstd = layer_norm(x, weight, weight)
    for stats in ((mean, rstd[:2]), (mean[:2], rstd), (None, rstd[:2]), (mean, rstd.expand(3, 3)), (mean[:1].expand(3), rstd)):
        with pytest.raises(ValueError, match="each of 3 rows"):
            norm_backward(x, x, weight, *stats)


def test_what_the_norms_refuse():
    x, weight = normal(3, 4), normal(5)
    for fn in (lambda: layer_norm(x, weight, weight), lambda: rms_norm(x, weight), lambda: rms_norm(x, weight[:4].half())):
        with pytest.raises(ValueError, match="weight is"):
            fn()
    with pytest.raises(TypeError, match="int64"):
        rms_norm(torch.ones(3, 4, dtype=torch.int64, device=DEVICE), torch.ones(4, dtype=torch.int64, device=DEVICE))


def test_as_rows_keeps_a_view_where_it_can():
    x = normal(4, 6, 10)
    assert as_rows("x", x).data_ptr() == x.data_ptr()
    assert as_rows("x", x[0, :, 3:]).data_ptr() == x[0, :, 3:].data_ptr()
    assert as_rows("x", x[0, :1].expand(6, 10)).stride() == (0, 1)
    assert as_rows("x", x[0].T).stride() == (6, 1)


@pytest.mark.parametrize("cols", [1, 5, 8, 9])
def test_variance_forms(cols):
    x = normal(3, cols) + 2
    truth = x.var(1, correction=0)
    assert torch.allclose(variance_as(x, "masked again"), truth, atol=1e-6)
    assert torch.allclose(variance_as(x, "of squares"), truth, atol=1e-5)
    for form in FORMS[1:3]:
        assert torch.allclose(variance_as(x, form), truth, atol=1e-6) == (cols & (cols - 1) == 0)
