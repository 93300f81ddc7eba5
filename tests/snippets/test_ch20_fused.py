"""The kernels of chapter 20 that work on rows, and the block of them, against float64, by the rule of section 7.5."""

import itertools
import math

import pytest
import torch
import torch.nn.functional as F
from hypothesis import given, settings
from hypothesis import strategies as st

from ch07_numerics.tolerance import worst_over_budget
from ch15_softmax.rows import LIMIT
from ch16_attention.forward import relative_error
from ch20_fused import add_rms_norm as norm
from ch20_fused.add_rms_norm import AddRMSNorm, add_rms_norm, add_rms_norm_backward, add_rms_norm_eager
from ch20_fused.block import Eager, Fused, Model, RotaryAttention, gradients
from ch20_fused.forgotten_stream import ForgottenStream
from ch20_fused.rope import DEVICE, Rope, rope_eager, rope_into, rope_table
from ch20_fused.swiglu import SwiGLU, swiglu, swiglu_backward, swiglu_eager
from ch20_fused.text import batches, sums_text, unknowable

DTYPES = [torch.float32, torch.float16, torch.bfloat16, torch.float64]
HALVES = [torch.float16, torch.bfloat16]
SHAPES = [(1, 1), (3, 5), (9, 8), (3, 129), (70, 17), (1, 2049), (2, 3, 4)]

pytestmark = pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")


def normal(*shape, seed=0, dtype=torch.float32):
    return torch.randn(*shape, generator=torch.Generator().manual_seed(seed), dtype=torch.float64).to(DEVICE, dtype)


def leaf(x):
    return x.detach().clone().requires_grad_()


def exact(x):
    return x.detach().cpu().double().requires_grad_()


def wide(dtype):
    return torch.promote_types(dtype, torch.float32)


def stored(dtype, times):
    """What to tell the rule of a half type that is rounded to so often; each may be a cut, interpreted."""
    return {"compute": wide(dtype), "result": dtype if dtype in HALVES else None, "result_roundings": 2 * times}


def in_halves(dtype, roundings):
    """Where terms of the size of scale are themselves rounded to a half type: eps of that type instead."""
    return {"compute": dtype if dtype in HALVES else wide(dtype), "roundings": roundings}


def norm_truth(x, stream, weight, grad_out, grad_total, eps=1e-5):
    """Outputs and gradients in float64, and for each the sum of the sizes of what is added."""
    x, stream, weight = exact(x), exact(stream), exact(weight)
    grad_out, grad_total = exact(grad_out).detach(), exact(grad_total).detach()
    out, total = add_rms_norm_eager(x, stream, weight, eps)
    dx, dweight = torch.autograd.grad((out, total), (x, weight), (grad_out, grad_total))
    with torch.no_grad():
        both = x.abs() + stream.abs()
        rstd = (total.square().mean(-1, keepdim=True) + eps).rsqrt()
        unit, pull = total.abs() * rstd, (grad_out * weight).abs()
        row = (both * rstd).amax(-1, keepdim=True) + 1  # how much an error of total is in units of the norm
        sizes = {
            "out": (both * rstd * weight.abs()) * row,
            "total": both,
            "dx": (pull + unit * (pull * unit).mean(-1, keepdim=True) + pull.mean(-1, keepdim=True)) * rstd * row**2 + grad_total.abs(),
            "dweight": (grad_out.abs() * (both * rstd) * row).flatten(0, -2).sum(0),
        }
    return {"out": out.detach(), "total": total.detach(), "dx": dx, "dweight": dweight}, sizes


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_add_and_norm_with_both_gradients(shape, dtype):
    x, stream, grad_out, grad_total = (normal(*shape, seed=k, dtype=dtype) for k in range(4))
    weight = normal(shape[-1], seed=4, dtype=dtype)
    truth, sizes = norm_truth(x, stream, weight, grad_out, grad_total)
    own = [leaf(t) for t in (x, stream, weight)]
    out, total = AddRMSNorm.apply(*own)
    dx, dstream, dweight = torch.autograd.grad((out, total), own, (grad_out, grad_total))
    assert torch.equal(dx, dstream)
    assert out.dtype == total.dtype == dx.dtype == dweight.dtype == dtype
    count = 20 + shape[-1] + x.numel() // shape[-1]
    for name, found in (("out", out), ("total", total), ("dx", dx), ("dweight", dweight)):
        roundings = 8 if dtype in HALVES else count
        assert worst_over_budget(found, truth[name], scale=sizes[name], **in_halves(dtype, roundings)) <= 1, name


@settings(max_examples=15, deadline=None)
@given(rows=st.integers(0, 6), cols=st.integers(1, 70), seed=st.integers(0, 9))
def test_add_and_norm_at_random_sizes(rows, cols, seed):
    x, stream = normal(2, rows, cols, seed=seed)
    weight = normal(cols, seed=seed + 1)
    out, total, rstd = add_rms_norm(x, stream, weight)
    wanted, summed = add_rms_norm_eager(x.double(), stream.double(), weight.double())
    assert torch.allclose(out.double(), wanted, atol=1e-5) and torch.allclose(total.double(), summed, atol=1e-6)
    assert rstd.shape == (rows,)


def test_strides_that_are_not_plain():
    x = normal(6, 5).T  # columns first
    stream = normal(1, 6).expand(5, 6)
    weight = normal(12)[::2]
    out, total, _ = add_rms_norm(x, stream, weight)
    wanted, summed = add_rms_norm_eager(x, stream, weight)
    assert torch.allclose(out, wanted, atol=1e-5) and torch.allclose(total, summed)
    own = [leaf(t) for t in (x, stream, weight)]
    loss = sum(t.sum() for t in AddRMSNorm.apply(*own))  # expanded gradients
    true = [leaf(t) for t in (x, stream, weight)]
    other = sum(t.sum() for t in add_rms_norm_eager(*true))
    for a, b in zip(torch.autograd.grad(loss, own), torch.autograd.grad(other, true)):
        assert torch.allclose(a, b, atol=1e-4)


def spread(x, gap):
    """x with rows that lie gap elements further apart than they are long, and NaN between them."""
    wide = torch.full((*x.shape[:-1], x.shape[-1] + gap), float("nan"), dtype=x.dtype, device=x.device)
    wide[..., : x.shape[-1]] = x
    return wide[..., : x.shape[-1]]


@pytest.mark.parametrize("cols", [7, 16])
def test_each_tensor_has_rows_of_its_own(cols):
    x, stream, *grads = normal(4, 9, cols)
    weight = normal(cols)
    truth, sizes = norm_truth(x, stream, weight, *grads)
    out, total, rstd = add_rms_norm(spread(x, 1), spread(stream, 2), weight)
    far = [spread(t, gap) for t, gap in zip((*grads, total), (3, 4, 5))]
    dx, dweight = add_rms_norm_backward(*far, weight, rstd)
    for name, found in (("out", out), ("total", total), ("dx", dx), ("dweight", dweight)):
        assert worst_over_budget(found, truth[name], 60, scale=sizes[name]) <= 1, name


def test_the_norm_is_of_the_sum_as_stored():
    x = torch.ones(3, 8, dtype=torch.float16, device=DEVICE)
    weight = torch.ones(8, dtype=torch.float16, device=DEVICE)
    _, total, rstd = add_rms_norm(x, x * 2**-12, weight)  # 1 + 2^-12 is stored as 1
    assert torch.equal(total, x)
    assert (rstd - (1 + 1e-5) ** -0.5).abs().max() < 1e-6


@pytest.mark.parametrize("eps", [0.0, 1e-5, 0.5])
def test_eps_goes_forward_and_back(eps):
    x, stream, *grads = normal(4, 3, 6, dtype=torch.float64)
    own, true = ([leaf(t) for t in (x, stream, x[0])] for _ in range(2))
    out = AddRMSNorm.apply(*own, eps)
    wanted = add_rms_norm_eager(*true, eps)
    for a, b in zip((*out, *torch.autograd.grad(out, own, grads)), (*wanted, *torch.autograd.grad(wanted, true, grads))):
        assert torch.allclose(a, b, rtol=1e-10)


@pytest.mark.parametrize("which", [(0,), (1,), (0, 1)])
def test_only_one_output_is_used(which):
    x, stream = normal(2, 4, 6)
    weight = normal(6)
    own, true = ([leaf(t) for t in (x, stream, weight)] for _ in range(2))
    found = torch.autograd.grad(sum(AddRMSNorm.apply(*own)[k].square().sum() for k in which), own, allow_unused=True)
    wanted = torch.autograd.grad(
        sum(add_rms_norm_eager(*true)[k].square().sum() for k in which), true, allow_unused=True
    )
    for a, b in zip(found, wanted):
        assert (a is None) == (b is None)
        assert a is None or torch.allclose(a, b, atol=1e-4)


@pytest.mark.parametrize("cols", [16, 17])
def test_rows_at_the_border_of_the_wide_way(cols, monkeypatch):
    assert norm.WIDEST == 8192
    monkeypatch.setattr(norm, "WIDEST", 16)
    x, stream, *grads = normal(4, 2, cols)
    weight = normal(cols)
    truth, sizes = norm_truth(x, stream, weight, *grads)
    _, total, rstd = add_rms_norm(x, stream, weight)
    dx, dweight = add_rms_norm_backward(*grads, total, weight, rstd)
    for name, found in (("dx", dx), ("dweight", dweight)):
        assert worst_over_budget(found, truth[name], 50, scale=sizes[name]) <= 1


def test_rows_too_long_and_nothing_at_all():
    row = torch.zeros(1, LIMIT + 1, device=DEVICE)
    with pytest.raises(ValueError, match="more than"):
        add_rms_norm(row, row, row[0])
    for shape in ((0, 5), (3, 0)):
        own = [leaf(normal(*shape)), leaf(normal(*shape)), leaf(normal(shape[-1]))]
        out, total = AddRMSNorm.apply(*own)
        grads = torch.autograd.grad((out, total), own, (out, total))
        assert [g.shape for g in grads] == [t.shape for t in own]
        assert not grads[2].any()
    rstd = add_rms_norm(*normal(2, 3, 0), normal(0), 0.25)[2]
    assert torch.equal(rstd, torch.full_like(rstd, 2.0)) and len(rstd) == 3
    x, weight = normal(3, 4), normal(4)
    _, total, rstd = add_rms_norm(x, x, weight)
    for wrong in (rstd[:2], rstd.expand(3, 3)):
        with pytest.raises(ValueError, match="each of 3 rows"):
            add_rms_norm_backward(x, x, total, weight, wrong)


@pytest.mark.parametrize("stages,programs", list(itertools.product((1, 2, 4), (1, 3))))
def test_the_way_of_the_loop_changes_nothing(stages, programs):
    x, stream, *grads = normal(4, 9, 2049)  # one row a turn, so that there are several
    weight = normal(2049)
    _, total, rstd = add_rms_norm(x, stream, weight)
    dx, dweight = add_rms_norm_backward(*grads, total, weight, rstd, stages=stages, programs=programs)
    truth, sizes = norm_truth(x, stream, weight, *grads)
    assert worst_over_budget(dx, truth["dx"], 100, scale=sizes["dx"]) <= 1
    assert worst_over_budget(dweight, truth["dweight"], 100, scale=sizes["dweight"]) <= 1


def test_what_add_and_norm_refuses():
    x = normal(3, 4)
    with pytest.raises(ValueError, match="stream"):
        add_rms_norm(x, x[:2], x[0])
    with pytest.raises(ValueError, match="stream"):
        add_rms_norm(x, x.double(), x[0])
    with pytest.raises((ValueError, TypeError), match="weight"):
        add_rms_norm(x, x, x[0, :3])
    with pytest.raises(TypeError, match="int64"):
        add_rms_norm(x, x.long(), x[0])
    for k, name in enumerate(("grad_out", "grad_total")):
        for wrong in (x[:2], x.double()):
            grads = [x, x]
            grads[k] = wrong
            with pytest.raises(ValueError, match=name):
                add_rms_norm_backward(*grads, x, x[0], normal(3))
    assert norm.check_alike("x", x, x) is None


def test_the_forgotten_gradient_is_found_with_both_outputs():
    own = [leaf(t) for t in (*normal(2, 3, 4, dtype=torch.float64), normal(4, dtype=torch.float64))]
    check = {"raise_exception": False}
    assert torch.autograd.gradcheck(AddRMSNorm.apply, own, **check)
    assert torch.autograd.gradcheck(lambda *a: ForgottenStream.apply(*a)[0], own, **check)
    assert not torch.autograd.gradcheck(ForgottenStream.apply, own, **check)


def pending(*shape, seed):
    """A gradient whose sign is pending: PyTorch has not turned its numbers yet."""
    x = torch._neg_view(normal(*shape, seed=seed))
    assert x.is_neg() and x.is_contiguous()
    return x


def test_gradients_whose_sign_is_pending():
    x, stream, weight, table = normal(3, 6), normal(3, 6, seed=1), normal(6), rope_table(3, 6)
    for fused, eager, inputs, shape in (
        (AddRMSNorm.apply, add_rms_norm_eager, (x, stream, weight), (3, 6)),
        (lambda *a: AddRMSNorm.apply(*a)[:1], lambda *a: add_rms_norm_eager(*a)[:1], (x, stream, weight), (3, 6)),
        (lambda y: (SwiGLU.apply(y),), lambda y: (swiglu_eager(y),), (x,), (3, 3)),
        (lambda y: (Rope.apply(y.clone(), *table),), lambda y: (rope_eager(y, *table),), (x.view(1, 3, 1, 6),), (1, 3, 1, 6)),
    ):
        own, true = ([leaf(t) for t in inputs] for _ in range(2))
        out, wanted = fused(*own), eager(*true)
        grads = [pending(*shape, seed=k + 2) for k in range(len(out))]
        for a, b in zip(torch.autograd.grad(out, own, grads), torch.autograd.grad(wanted, true, grads)):
            assert torch.allclose(a, b, atol=1e-5)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("cols", [1, 5, 64, 127, 2047, 2048, 2049])
def test_swiglu(cols, dtype):
    pair, grad = normal(3, 2 * cols, dtype=dtype), normal(3, cols, seed=1, dtype=dtype)
    true = exact(pair)
    wanted = swiglu_eager(true)
    dtruth = torch.autograd.grad(wanted, true, exact(grad).detach())[0]
    gate, up = true.detach().chunk(2, -1)
    reach = 10 + 2 * gate.abs().max().item()
    size = torch.cat([(grad.cpu().double() * up).abs() * (1 + gate.abs()), (grad.cpu().double() * F.silu(gate)).abs()], -1)
    for overwrite in (False, True):
        own = leaf(pair)
        out = SwiGLU.apply(own.clone(), overwrite)
        assert worst_over_budget(out, wanted.detach(), reach, **stored(dtype, 1)) <= 1
        (found,) = torch.autograd.grad(out, own, grad)
        assert worst_over_budget(found, dtruth, reach, scale=size, **stored(dtype, 1)) <= 1


def test_swiglu_takes_halves_and_far_ends():
    for shape in ((0, 6), (3, 0), (2, 3, 8)):
        assert swiglu_eager(normal(*shape)).shape == SwiGLU.apply(normal(*shape)).shape
    gate = torch.tensor([[-1e4, -200.0, -0.0, 200.0, 1e4]], device=DEVICE)
    out = swiglu(gate, torch.ones_like(gate))
    assert torch.allclose(out, F.silu(gate))
    dgate, dup = torch.empty_like(gate), torch.empty_like(gate)
    swiglu_backward(torch.ones_like(gate), gate, torch.ones_like(gate), dgate, dup)
    assert dgate.isfinite().all() and dup.isfinite().all()
    assert torch.allclose(swiglu(gate.T, gate.T), F.silu(gate.T) * gate.T)


@pytest.mark.parametrize("cols", [6, 2049])
def test_swiglu_of_tensors_with_rows_of_their_own(cols):
    gate, up, grad = normal(3, 3, cols)
    true = [exact(t) for t in (gate, up)]
    wanted = F.silu(true[0]) * true[1]
    dgate, dup = torch.autograd.grad(wanted, true, exact(grad).detach())
    gate, up, grad, *into = (spread(t, gap) for t, gap in zip((gate, up, grad, grad, grad), (1, 2, 3, 4, 5)))
    assert torch.allclose(swiglu(gate, up).cpu().double(), wanted.detach(), atol=1e-5)
    swiglu_backward(grad, gate, up, *into)
    for found, truth, gap in zip(into, (dgate, dup), (4, 5)):
        assert torch.allclose(found.cpu().double(), truth, atol=1e-5)
        between = torch.as_strided(found, (3, gap), (cols + gap, 1), cols)
        assert between.isnan().all()  # nothing was stored there


def test_swiglu_refuses():
    x = normal(3, 4)
    with pytest.raises(ValueError, match="up"):
        swiglu(x, x[:2])
    with pytest.raises(ValueError, match="strides"):
        swiglu_backward(x, x, x, torch.empty(4, 3, device=DEVICE).T, x.clone())
    for k, name in ((3, "dgate"), (4, "dup")):  # written several times
        args = [x, x, x, x.clone(), x.clone()]
        args[k] = x[:1].clone().expand(3, 4)
        with pytest.raises(ValueError, match=f"{name}.*stride of 0"):
            swiglu_backward(*args)
    for k, name in ((0, "grad"), (2, "up"), (3, "dgate"), (4, "dup")):
        for wrong in (x[:2], x.double()):
            args = [x, x, x, x.clone(), x.clone()]
            args[k] = wrong
            with pytest.raises(ValueError, match=name):
                swiglu_backward(*args)
    with pytest.raises(ValueError, match="odd|halves|up"):
        SwiGLU.apply(normal(3, 5))


def test_swiglu_without_overwrite_leaves_its_input():
    own, grad = leaf(normal(2, 6)), normal(1, 3, seed=1).expand(2, 3)
    pair = own.clone()
    out = SwiGLU.apply(pair)
    first, second = (torch.autograd.grad(out, own, grad, retain_graph=True)[0] for _ in range(2))
    assert torch.equal(first, second) and torch.equal(pair, own)
    true = leaf(own)
    (wanted,) = torch.autograd.grad(swiglu_eager(true), true, grad)
    assert torch.allclose(first, wanted, atol=1e-5)


def test_swiglu_that_overwrites_runs_backward_once():
    own = leaf(normal(2, 6))
    out = SwiGLU.apply(own.clone(), True).sum()
    torch.autograd.grad(out, own, retain_graph=True)
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        torch.autograd.grad(out, own)
    pair = own.clone()
    squares = pair.square().sum()  # made first, so its backward comes last, and it saved pair
    loss = SwiGLU.apply(pair, True).sum() + squares
    with pytest.raises(RuntimeError, match="modified by an inplace operation"):
        torch.autograd.grad(loss, own)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("heads,dim", [(1, 2), (3, 6), (2, 64), (5, 80)])
def test_rope_in_place_and_back(heads, dim, dtype):
    x, grad = normal(2, 2, 7, heads, dim, dtype=dtype)
    table = rope_table(7, dim)
    tables = [t.double().cpu() for t in table]
    true = exact(x)
    wanted = rope_eager(true, *tables)
    dtruth = torch.autograd.grad(wanted, true, exact(grad).detach())[0]
    sizes = [sum(t.abs() for t in y.cpu().double().chunk(2, -1)) for y in (x, grad)]
    sizes = [torch.cat([s, s], -1) for s in sizes]
    own = leaf(x)
    out = Rope.apply(own.clone(), *table)
    (found,) = torch.autograd.grad(out, own, grad)
    for y, truth, scale in ((out, wanted.detach(), sizes[0]), (found, dtruth, sizes[1])):
        assert worst_over_budget(y, truth, 6, scale=scale, **stored(dtype, 1)) <= 1


@pytest.mark.parametrize("lanes", [1, 8, 64])
def test_rope_by_strides_and_tiles(lanes):
    qkv = normal(2, 5, 3, 3, 6)
    table = rope_table(5, 6)
    kept = qkv.clone()
    both = qkv[:, :, :2].flatten(2, 3)
    assert both.data_ptr() == qkv.data_ptr()
    rope_into(both, both, *table, lanes=lanes)
    wanted = rope_eager(kept[:, :, :2].flatten(2, 3), *table)
    assert torch.allclose(both, wanted, atol=1e-5)
    assert torch.equal(qkv[:, :, 2], kept[:, :, 2])  # v was left alone
    turned = torch.empty(2, 3, 5, 6, device=DEVICE).transpose(1, 2)
    rope_into(turned, kept[:, :, 0], *table, lanes=lanes)
    assert torch.allclose(turned, wanted[:, :, :3], atol=1e-5)


def test_rope_takes_gradients_of_any_strides():
    x, table = normal(2, 5, 3, 6), rope_table(5, 6)
    for grad in (normal(1).expand(x.shape), normal(2, 5, 6, 3, seed=1).transpose(2, 3), normal(2, 3, 5, 6, seed=2).transpose(1, 2)):
        own, true = leaf(x), leaf(x)
        kept = grad.clone()
        (found,) = torch.autograd.grad(Rope.apply(own.clone(), *table), own, grad)
        (wanted,) = torch.autograd.grad(rope_eager(true, *table), true, grad)
        assert torch.allclose(found, wanted, atol=1e-5)
        assert torch.equal(grad, kept)  # what came in was left alone


def test_rope_refuses_and_takes_nothing():
    x = normal(1, 4, 2, 6)
    cos, sin = rope_table(4, 6)
    rope_into(x[:, :0], x[:, :0], cos[:0], sin[:0])
    with pytest.raises(ValueError, match="cos"):
        rope_into(x, x, cos[:3], sin)
    with pytest.raises(ValueError, match="sin"):
        rope_into(x, x, cos, sin.T.contiguous().T)
    with pytest.raises(ValueError, match="pairs"):
        rope_into(x[..., :5], x[..., :5], cos[:, :2].contiguous(), sin[:, :2].contiguous())
    with pytest.raises(ValueError, match="strides"):
        rope_into(x, x.transpose(2, 3).contiguous().transpose(2, 3), cos, sin)
    for out in (x.double(), x[:, :3], x[0]):
        with pytest.raises(ValueError, match="out"):
            rope_into(out, x, cos, sin)
    with pytest.raises(ValueError, match="x is.*wanted batch"):
        rope_into(x[0], x[0], cos, sin)
    for k in range(3):
        thin = x.narrow(k, 0, 1).clone().expand_as(x)
        if x.shape[k] > 1:
            with pytest.raises(ValueError, match="stride of 0"):
                rope_into(thin, x, cos, sin)
    with pytest.raises(TypeError, match="cos"):
        rope_into(x, x, cos.long(), sin)


def test_heads_may_lie_far_apart():
    near = normal(1, 2, 3, 4).half()
    far = torch.empty(2**31 + 64, dtype=torch.float16, device=DEVICE).as_strided((1, 2, 3, 4), (8, 4, 2**30, 1))
    far.copy_(near)
    table = rope_table(2, 4)
    assert torch.equal(rope_into(far, far, *table), rope_into(near, near, *table))


def test_a_table_is_right_far_out():
    cos, sin = rope_table(3, 4)
    assert cos.shape == sin.shape == (3, 2)
    assert torch.allclose(cos[2].cpu().double(), torch.tensor([2.0, 0.02], dtype=torch.float64).cos(), atol=1e-7)
    assert torch.allclose(cos.square() + sin.square(), torch.ones_like(cos))
    cos, sin = rope_table(70002, 128)
    for pair in (0, 1, 37, 63):
        angle = 70001 * 10000 ** (-2 * pair / 128)
        assert abs(cos[-1, pair].item() - math.cos(angle)) < 1e-6 and abs(sin[-1, pair].item() - math.sin(angle)) < 1e-6


def test_what_is_turned_in_place_has_a_new_version():
    own, table = leaf(normal(1, 4, 6, 8)), rope_table(4, 8)
    with pytest.raises(RuntimeError, match="leaf"):
        Rope.apply(own, *table)
    for turn in (lambda x: Rope.apply(x, *table), lambda x: RotaryAttention.apply(x.flatten(2), *table, 2)):
        x = own.clone()
        squares = x.square().sum()  # saved x as it was
        turn(x)
        with pytest.raises(RuntimeError, match="modified by an inplace operation"):
            squares.backward()


@pytest.mark.parametrize("batch,length,heads,dim", [(1, 1, 1, 8), (2, 37, 3, 16)])
def test_attention_with_turned_heads(batch, length, heads, dim):
    qkv, grad = normal(batch, length, 3 * heads * dim), normal(batch, length, heads * dim, seed=1)
    table = rope_table(length, dim)
    own, true = leaf(qkv), exact(qkv)
    out = RotaryAttention.apply(own.clone(), *table, heads)
    wanted = Eager.attend(true, *(t.double().cpu() for t in table), heads)
    (found,) = torch.autograd.grad(out, own, grad)
    (dtruth,) = torch.autograd.grad(wanted, true, exact(grad).detach())
    assert relative_error(out.detach().cpu(), wanted.detach()) < 2e-6
    assert relative_error(found.cpu(), dtruth) < 2e-6


@pytest.mark.parametrize("length", [1, 33])
def test_every_gradient_of_the_block(length):
    torch.manual_seed(0)
    shape = {"vocab": 41, "dim": 32, "heads": 2, "hidden": 24, "length": length}
    fused, true = Model(Fused, **shape), Model(Eager, **shape).double()
    with torch.no_grad():
        for mine, other in zip(fused.parameters(), true.parameters()):
            mine *= 10 if mine.dim() == 2 else 1
            other.copy_(mine)
    tokens = torch.randint(41, (2, length + 1)).to(DEVICE)
    data = tokens[:, :-1], tokens[:, 1:]
    for dtype, limit in ((torch.float32, 5e-6), (torch.float16, 1e-2)):
        loss, found = gradients(fused, *data, dtype)
        truth, wanted = gradients(true, *data, torch.float64)
        assert abs(loss - truth) < limit * truth
        for name in found:
            assert relative_error(found[name], wanted[name]) < limit, name


def test_the_forgotten_gradient_shows_in_the_block():
    class Forgotten(Fused):
        add_norm = ForgottenStream.apply

    torch.manual_seed(0)
    shape = {"vocab": 41, "dim": 32, "heads": 2, "hidden": 24, "length": 9}
    forgotten, true = Model(Forgotten, **shape), Model(Eager, **shape).double()
    with torch.no_grad():
        for mine, other in zip(forgotten.parameters(), true.parameters()):
            mine *= 10 if mine.dim() == 2 else 1
            other.copy_(mine)
    tokens = torch.randint(41, (2, 10)).to(DEVICE)
    data = tokens[:, :-1], tokens[:, 1:]
    loss, found = gradients(forgotten, *data, torch.float32)
    truth, wanted = gradients(true, *data, torch.float64)
    assert abs(loss - truth) < 5e-6 * truth  # the forward is right
    wrong = {name for name in found if relative_error(found[name], wanted[name]) > 0.1}
    assert wrong == {"embed", "qkv", "out", "norm1"}


def test_the_text_adds_up():
    lines = bytes(sums_text(50, seed=3).tolist()).decode().split()
    assert len(lines) == 50
    for line in lines:
        left, right = line.split("=")
        assert sum(map(int, left.split("+"))) == int(right)
    assert torch.equal(sums_text(50, seed=3), sums_text(50, seed=3))
    tokens, targets = next(batches(sums_text(50, seed=3), 4, 16, seed=0))
    assert tokens.shape == targets.shape == (4, 16)
    assert torch.equal(tokens[:, 1:], targets[:, :-1])
    assert 0.7 < unknowable() < 0.73
