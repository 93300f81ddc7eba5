"""Chapter 20: the loss in chunks and the four-bit product against float64, at sizes that break careless chunks and groups."""

import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from ch07_numerics.tolerance import worst_over_budget
from ch20_fused import int4_matmul as int4
from ch20_fused.int4_matmul import DEVICE, FEW, Int4Linear, dequantize, few_rows, int4_backward, int4_matmul, many_rows
from ch20_fused.int4_matmul import quantize
from ch20_fused.linear_cross_entropy import LinearCrossEntropy, linear_cross_entropy, loss_gradients, scale_


def normal(*shape, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(shape, generator=generator).to(dtype).to(DEVICE)


def targets(tokens, vocab, ignored=0.2, seed=2):
    generator = torch.Generator().manual_seed(seed)
    target = torch.randint(vocab, (tokens,), generator=generator)
    target[torch.rand(tokens, generator=generator) < ignored] = -100
    return target.to(DEVICE)


def by_columns(x):
    return x.T.contiguous().T


def truth(x, weight, target):
    """Loss and gradients in float64, by PyTorch."""
    wide = [t.detach().cpu().double().requires_grad_() for t in (x, weight)]
    loss = F.cross_entropy(F.linear(*wide), target.cpu())
    return loss.detach(), *torch.autograd.grad(loss, wide)


def check_loss(x, weight, target, chunk, roundings, found):
    """By the rule of 7.5: what was added up, and how often it was rounded."""
    loss, dx, dweight = truth(x, weight, target)
    eps = torch.finfo(x.dtype).eps
    wide_x, wide_w = x.cpu().double(), weight.cpu().double()
    logits = wide_x @ wide_w.T
    dim, vocab = x.shape[1], weight.shape[0]
    # A logit is off by the roundings of its sum and of its store; a probability by that factor of itself.
    off = dim * torch.finfo(torch.float32).eps / 2 * (wide_x.abs() @ wide_w.abs().T) + eps * logits.abs()
    off = off.amax() + roundings * torch.finfo(torch.float32).eps
    assert (found[0].cpu().double() - loss).abs() <= 2 * off + 1e-6 * loss.abs()
    counted = target.cpu() != -100
    p = torch.softmax(logits, 1)
    p[torch.arange(len(p)), target.cpu().clamp(min=0)] += 1
    p = p / counted.sum() * counted[:, None]
    tiny = torch.finfo(x.dtype).smallest_normal
    steps = 3 * off + 2 * eps  # of each term of the products
    chunks = -(-len(p) // chunk)
    assert ((found[1].cpu().double() - dx).abs() <= (steps + eps) * (p @ wide_w.abs()) + vocab * tiny).all()
    allowed = (steps + (chunks + 1) * eps) * (p.T @ wide_x.abs()) + len(p) * tiny
    assert ((found[2].cpu().double() - dweight).abs() <= allowed).all()


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
@settings(max_examples=10, deadline=None)
@given(st.integers(1, 9), st.integers(1, 20), st.integers(1, 140), st.integers(1, 10))
def test_loss_and_gradients(dtype, tokens, dim, vocab, chunk):
    x, weight = normal(tokens, dim, dtype=dtype), normal(vocab, dim, dtype=dtype, seed=1)
    target = targets(tokens, vocab)
    target[0] = vocab - 1
    check_loss(x, weight, target, chunk, vocab + 20, loss_gradients(x, weight, target, chunk))


@pytest.mark.parametrize("vocab", [8191, 8192, 8193, 20000])
def test_rows_longer_than_a_turn(vocab):
    x, weight, target = normal(3, 8), normal(vocab, 8, seed=1), targets(3, vocab, 0)
    check_loss(x, weight, target, 2, vocab + 20, loss_gradients(x, weight, target, 2))


def test_float64_is_exact_to_its_digits():
    x, weight, target = normal(7, 5).double(), normal(33, 5, seed=1).double(), targets(7, 33)
    for found, wanted in zip(loss_gradients(x, weight, target, 3), truth(x, weight, target)):
        assert torch.allclose(found.cpu(), wanted, rtol=1e-12, atol=1e-14)


@pytest.mark.parametrize("factor", [0.0, 1.0, -2.5])
def test_autograd_scales_by_what_comes_in(factor):
    x, weight, target = normal(2, 3, 6).requires_grad_(), normal(17, 6, seed=1).requires_grad_(), targets(6, 17).view(2, 3)
    found = torch.autograd.grad(factor * linear_cross_entropy(x, weight, target, 2), (x, weight))
    wanted = truth(x.detach().view(6, 6), weight.detach(), target.view(-1))[1:]
    for a, b in zip(found, wanted):
        assert torch.allclose(a.cpu().double().view(b.shape), factor * b, rtol=1e-4, atol=1e-6)


def test_only_what_is_wanted():
    x, weight, target = normal(5, 6), normal(17, 6, seed=1), targets(5, 17)
    loss, dx, dweight = loss_gradients(x, weight, target, 2, wants=(False, False))
    assert dx is None and dweight is None
    assert loss == loss_gradients(x, weight, target, 2)[0]
    with torch.no_grad():
        assert not linear_cross_entropy(x.clone().requires_grad_(), weight, target).requires_grad
    frozen = linear_cross_entropy(x.clone().requires_grad_(), weight, target)
    assert frozen.grad_fn.grads[0] is not None and frozen.grad_fn.grads[1] is None
    frozen.backward()
    assert weight.grad is None


def test_every_stride():
    x, weight, target = normal(6, 10), normal(34, 10, seed=1), targets(6, 34)
    wanted = loss_gradients(x, weight, target, 4)
    apart = target.new_full((12,), 5)
    apart[::2] = target
    for left, right in [(by_columns(x), weight), (x, by_columns(weight))]:
        own = [left.detach().requires_grad_(), right.detach().requires_grad_()]
        loss = linear_cross_entropy(*own, apart[::2], 4)
        for a, b in zip([loss, *torch.autograd.grad(2 * loss, own)], (wanted[0], 2 * wanted[1], 2 * wanted[2])):
            assert torch.allclose(a, b, rtol=1e-5, atol=1e-6)


def test_nothing_to_learn_from():
    x, weight = normal(4, 6), normal(17, 6, seed=1)
    nobody = torch.full((4,), -100, device=DEVICE)
    for rows, target in [(x, nobody), (x[:0], nobody[:0])]:
        loss, dx, dweight = loss_gradients(rows, weight, target)
        assert loss.isnan() and F.cross_entropy(F.linear(rows, weight), target).isnan()
        assert (dx == 0).all() and (dweight == 0).all()


@pytest.mark.parametrize("wrong", [17, 18, -1, 2**40])
def test_a_target_outside_the_vocabulary_is_nan(wrong):
    x, weight, target = normal(4, 6), normal(17, 6, seed=1), targets(4, 17, 0)
    target[2] = wrong
    loss, dx, _ = loss_gradients(x, weight, target, 2)
    assert loss.isnan() and dx[2].isnan().all() and not dx[[0, 1, 3]].isnan().any()


@pytest.mark.parametrize("ignore", [3, -1, 40])
def test_ignored_is_what_you_say(ignore):
    x, weight, target = normal(9, 6).requires_grad_(), normal(17, 6, seed=1).requires_grad_(), targets(9, 17, 0)
    target[::3] = ignore
    loss = linear_cross_entropy(x, weight, target, 4, ignore)
    true = [t.detach().cpu().double().requires_grad_() for t in (x, weight)]
    wanted = F.cross_entropy(F.linear(*true), target.cpu(), ignore_index=ignore)
    for a, b in zip((loss, *torch.autograd.grad(loss, (x, weight))), (wanted, *torch.autograd.grad(wanted, true))):
        assert torch.allclose(a.cpu().double(), b, rtol=1e-4, atol=1e-6)


def test_a_second_backward_is_refused():
    x, weight, target = normal(4, 6).requires_grad_(), normal(17, 6, seed=1), targets(4, 17, 0)
    loss = linear_cross_entropy(x, weight, target)
    loss.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="second time"):
        loss.backward()


def test_loss_says_what_is_wrong():
    x, weight, target = normal(4, 6), normal(17, 6, seed=1), targets(4, 17)
    for args in [(x, weight[:, :5], target), (x, weight[:0], target), (x, weight[0], target), (x, weight, target[:3])]:
        with pytest.raises(ValueError):
            linear_cross_entropy(*args)
    with pytest.raises(ValueError, match="chunk"):
        linear_cross_entropy(x, weight, target, 0)
    for args in [(x, weight.to("meta"), target), (x, weight, target.to("meta"))]:
        with pytest.raises(ValueError, match="on meta"):
            linear_cross_entropy(*args)
    for args in [(x, weight.half(), target), (x, weight, target.int()), (x.long(), weight.long(), target)]:
        with pytest.raises(TypeError):
            linear_cross_entropy(*args)


def test_a_loss_without_features_is_that_of_equal_logits():
    x, weight, target = normal(3, 2, 0).requires_grad_(), normal(17, 0), targets(6, 17).view(3, 2)
    loss = linear_cross_entropy(x, weight, target)
    assert math.isclose(loss.item(), math.log(17), rel_tol=1e-6)
    assert torch.autograd.grad(loss, x)[0].shape == (3, 2, 0)


def test_scale():
    for n in (0, 1, 2047, 2048, 2049, 5000, 1024 * 2048 + 5):  # the last: more than a turn of the grid
        x = normal(n)
        wanted = x * 3
        assert torch.equal(scale_(x, torch.tensor(3.0, device=DEVICE)), wanted)
    assert scale_(None, torch.tensor(3.0)) is None
    assert LinearCrossEntropy is not None


def int4_case(m, n, k, group, dtype=torch.float16):
    packed, scales = quantize(normal(n, k, dtype=dtype), group)
    x = normal(m, k, dtype=dtype, seed=1)
    return x, packed, scales, dequantize(packed, scales.double(), k).cpu()


def check_product(out, x, weight, rounded_weights):
    wide = x.cpu().double()
    scale = wide.abs() @ weight.abs().T
    roundings = x.shape[1] + 8
    if rounded_weights:  # each weight is rounded to x's dtype first, or cut, as interpreted
        roundings += 2 * torch.finfo(x.dtype).eps / torch.finfo(torch.float32).eps
    assert out.dtype == x.dtype
    assert worst_over_budget(out, wide @ weight.T, roundings, scale, result=x.dtype, result_roundings=2) <= 1


@settings(max_examples=20, deadline=None)
@given(st.integers(1, 70), st.integers(1, 150), st.integers(1, 300), st.sampled_from([64, 128, 256]), st.sampled_from([None, (16, 64, 3, 4, 2)]))
def test_few_rows(m, n, k, group, settings):
    x, packed, scales, weight = int4_case(m, n, k, group)
    check_product(few_rows(x, packed, scales, settings), x, weight, rounded_weights=False)


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
@settings(max_examples=12, deadline=None)
@given(st.integers(1, 80), st.integers(1, 600), st.integers(1, 300), st.sampled_from([64, 128]), st.sampled_from([1, 2**16]))
def test_many_rows_and_gradient(dtype, m, n, k, group, piece):
    x, packed, scales, weight = int4_case(m, n, k, group, dtype)
    check_product(many_rows(x, packed, scales, piece), x, weight, rounded_weights=True)
    grad = normal(m, n, dtype=dtype, seed=2)
    check_product(int4_backward(grad, packed, scales, k, piece), grad, weight.T, rounded_weights=True)


@pytest.mark.parametrize("shape", [(3, 2), (1,), (129,), (0,)])
def test_autograd_of_any_shape(shape):
    n, k = 40, 72
    packed, scales = quantize(normal(n, k).half(), 64)
    weight = dequantize(packed, scales.double(), k).cpu()
    x = normal(*shape, k).half().requires_grad_()
    out = Int4Linear.apply(x, packed, scales)
    assert out.shape == (*shape, n)
    out.sum().backward()  # a gradient that is expanded
    wanted = weight.sum(0).expand(*shape, k)
    assert torch.allclose(x.grad.cpu().double(), wanted, rtol=5e-3, atol=5e-2)


@pytest.mark.parametrize("rows,way", [(1, "few_rows"), (FEW, "few_rows"), (FEW + 1, "many_rows")])
def test_how_many_rows_are_few(rows, way, monkeypatch):
    x, packed, scales, weight = int4_case(rows, 3, 64, 64)
    for name in {"few_rows", "many_rows"} - {way}:
        monkeypatch.setattr(int4, name, None)
    check_product(int4_matmul(x, packed, scales), x, weight, rounded_weights=way == "many_rows")


def test_rows_with_strides():
    x, packed, scales, weight = int4_case(6, 40, 64, 64)
    wide = normal(12, 128).half()
    for view in (wide[::2, :64], wide[:6, ::2], by_columns(x), wide[:1, :64].expand(6, 64)):
        check_product(int4_matmul(view, packed, scales), view, weight, rounded_weights=False)


def test_quantize_keeps_integers_and_rounds_to_the_nearest():
    scale = 0.5
    q = torch.randint(-7, 8, (9, 70), generator=torch.Generator().manual_seed(0)).to(DEVICE)
    q[:, ::64] = 7
    weight = (q * scale).half()
    packed, scales = quantize(weight, 64)
    assert packed.is_contiguous() and packed.dtype == torch.int32 and packed.shape == (2, 9, 8)
    assert torch.equal(dequantize(packed, scales, 70), weight)
    weight = normal(9, 70).half()
    packed, scales = quantize(weight, 64)
    steps = scales.double().repeat_interleave(64, 0)[:70].T
    assert ((dequantize(packed, scales.double(), 70) - weight.double()).abs() / steps).max() < 0.51
    least = 2.0**-24  # of float16: a scale of 10 / 7 of it is rounded to it, so that 10 of them are too many
    weight = torch.tensor([[10.0, 0.0, -10.0, 1.0] * 16], device=DEVICE).mul(least).half()
    wanted = torch.tensor([[7.0, 0.0, -8.0, 1.0] * 16], device=DEVICE).mul(least).half()
    assert torch.equal(dequantize(*quantize(weight, 64), 64), wanted)
    zeros = torch.zeros(3, 40, dtype=torch.float16, device=DEVICE)
    assert torch.equal(dequantize(*quantize(zeros, 64), 40), zeros)


def test_no_rows_and_no_columns():
    packed, scales = quantize(normal(5, 40).half(), 64)
    assert int4_matmul(normal(0, 40).half(), packed, scales).shape == (0, 5)
    assert int4_backward(normal(0, 5).half(), packed, scales, 40).shape == (0, 40)
    packed, scales = quantize(normal(0, 40).half(), 64)
    assert int4_matmul(normal(3, 40).half(), packed, scales).shape == (3, 0)
    assert torch.equal(int4_backward(normal(3, 0).half(), packed, scales, 40).cpu(), torch.zeros(3, 40).half())
    packed, scales = quantize(normal(5, 0).half(), 64)
    assert torch.equal(int4_matmul(normal(3, 0).half(), packed, scales).cpu(), torch.zeros(3, 5).half())
    assert int4_backward(normal(2, 3, 5).half(), packed, scales, 0).shape == (2, 3, 0)


def test_int4_says_what_is_wrong():
    x, packed, scales, _ = int4_case(3, 40, 72, 64)
    for args in [(x[:, :64], packed, scales), (normal(3, 129).half(), packed, scales), (x, packed[:1], scales),
                 (x, packed.transpose(0, 1).contiguous().transpose(0, 1), scales), (x, packed, by_columns(scales)),
                 (x, packed, scales[:, :39].contiguous()), (x, packed[0], scales[0]), (x, packed.to("meta"), scales)]:
        with pytest.raises(ValueError):
            int4_matmul(*args)
    for args in [(x.float(), packed, scales), (x, packed, scales.float()), (x, packed.short(), scales)]:
        with pytest.raises(TypeError):
            int4_matmul(*args)
    with pytest.raises(ValueError, match="group"):
        quantize(normal(4, 64).half(), 32)
    for dtype in (torch.int8, torch.int64, torch.float32, torch.float64):
        with pytest.raises(TypeError, match="wanted float16"):
            quantize(normal(4, 64).to(dtype))
    with pytest.raises(ValueError):
        int4_backward(x, packed, scales, 72)
    with pytest.raises(ValueError):
        int4_backward(normal(3, 40).half(), packed, scales, 129)
