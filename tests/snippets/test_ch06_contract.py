"""Chapter 6: kernels that take strides, on every view that torch can make, against torch and float64."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from ch06_contract.four_ways import silu_open
from ch06_contract.gradient_strides import CarelessDouble
from ch06_contract.one_address import DEVICE, flat_scale
from ch06_contract.silu import as_matrices, check_float, launch_silu, silu
from ch06_contract.silu_grad import Silu, silu_backward
from ch06_contract.silu_op import register, silu_backward_op, silu_op
from ch06_contract.strided_scale import launch_scale, scale
from ch07_numerics.tolerance import worst_over_budget

register()

EDGES = [0, 1, 31, 32, 33]
TILES = [(2, 4), (4, 2), (1, 8), (16, 16)]
FLOATS = [torch.float16, torch.bfloat16, torch.float32, torch.float64]


def normal(*shape, seed=0, dtype=torch.float32):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).to(dtype).to(DEVICE)


@st.composite
def views(draw, dims=st.integers(0, 4), dtype=torch.float32):
    """A view of random shape: sliced, permuted, expanded, in any mixture."""
    shape = draw(st.lists(st.integers(0, 5), min_size=(n := draw(dims)), max_size=n))
    x = normal(*[2 * size + 1 for size in shape], dtype=dtype) if shape else normal(1, dtype=dtype).reshape(())
    for axis, size in enumerate(shape):
        step = draw(st.integers(1, 2))
        x = x.narrow(axis, draw(st.integers(0, 1)), min(step * size, 2 * size))
        x = x[(slice(None),) * axis + (slice(None, None, step),)]
    x = x.permute(draw(st.permutations(range(len(shape)))))
    if shape and draw(st.booleans()):
        axis = draw(st.integers(0, len(shape) - 1))
        if x.shape[axis]:
            sizes = list(x.shape)
            sizes[axis] = draw(st.integers(0, 5))
            x = x.narrow(axis, 0, 1).expand(sizes)
    return x


def silu_float64(x):
    wide = x.detach().cpu().double()
    return wide * torch.sigmoid(wide)


def slope_float64(x):
    wide = x.detach().cpu().double()
    sigmoid = torch.sigmoid(wide)
    return sigmoid * (1 + wide * (1 - sigmoid))


def close(out, truth, roundings=12, scale=None):
    """Whether a result is as close as roundings in its type, or in float32 where that is wider, allow."""
    narrow = out.dtype in (torch.float16, torch.bfloat16)
    return worst_over_budget(
        out, truth, roundings, scale, compute=torch.float32 if narrow else out.dtype,
        result=out.dtype if narrow else None, result_roundings=2,
    ) <= 1  # fmt: skip


@pytest.mark.parametrize("rows", EDGES)
@pytest.mark.parametrize("cols", EDGES)
def test_scale_covers_every_edge_of_a_tile(rows, cols):
    x = normal(rows, cols)
    assert torch.equal(scale(x, 2.0), 2 * x)
    assert torch.equal(scale(normal(cols, rows).T, 2.0), 2 * normal(cols, rows).T)


@settings(max_examples=25, deadline=None)
@given(x=views(dims=st.just(2)), block=st.sampled_from(TILES))
def test_scale_reads_any_view(x, block):
    out = scale(x, 2.0, block=block)
    assert torch.equal(out, 2 * x) and out.is_contiguous()


def test_scale_writes_nothing_beyond_its_output(monkeypatch):
    buffers = []

    def inside_a_buffer(shape, dtype, device):
        buffers.append(torch.full((shape.numel() + 64,), 7.0, dtype=dtype, device=device))
        return buffers[-1][32 : 32 + shape.numel()].view(shape)

    x = normal(5, 7)
    monkeypatch.setattr(torch, "empty", inside_a_buffer)
    scale(x[:, ::2], 2.0, block=(2, 2))
    silu(x)
    silu_backward(x, x)
    flat_scale(x, 2.0, block=4)
    silu_open(x[:, ::2])
    assert len(buffers) == 5
    for buffer in buffers:
        assert (buffer[:32] == 7.0).all() and (buffer[-32:] == 7.0).all()


def test_the_kernels_write_by_the_strides_of_their_output():
    x = normal(5, 7)
    whole = torch.full((14, 10), 7.0, device=DEVICE)
    out = whole[::2, ::2].T
    launch_scale(x, x.stride(), out, out.stride(), 2.0, (2, 4))
    assert torch.equal(out, 2 * x)
    launch_silu(x, out)
    assert close(out, silu_float64(x))
    assert (whole[1::2] == 7.0).all() and (whole[:, 1::2] == 7.0).all()


@pytest.mark.parametrize("n", [0, 1, 1023, 1024, 1025])
def test_flat_scale_covers_every_size(n):
    x = normal(n)
    assert torch.equal(flat_scale(x, 2.0), 2 * x)


@settings(max_examples=40, deadline=None)
@given(x=views())
def test_silu_takes_any_view_and_returns_contiguous(x):
    before = x.clone()
    out = silu(x)
    assert out.shape == x.shape and out.dtype == x.dtype and out.is_contiguous()
    assert close(out, silu_float64(x))
    assert torch.equal(silu_open(x), out)
    assert torch.equal(x, before)


@pytest.mark.parametrize("dtype", FLOATS)
@pytest.mark.parametrize("n", [1, 31, 33, 1023, 1024, 1025])
def test_silu_in_every_dtype(dtype, n):
    x = normal(n, dtype=dtype)
    assert silu(x).dtype == dtype and close(silu(x), silu_float64(x))
    pair = normal(n, 2, dtype=dtype)[:, 1]
    assert close(silu(pair), silu_float64(pair))


@settings(max_examples=25, deadline=None)
@given(x=views(dims=st.just(2)), data=st.data())
def test_silu_backward_takes_any_pair_of_views(x, data):
    grad = data.draw(st.sampled_from([
        normal(*x.shape, seed=1), normal(*x.shape[::-1], seed=1).T, normal(1, 1, seed=1).expand(x.shape),
        normal(1, x.shape[1], seed=1).expand(x.shape), normal(x.shape[0], 1, seed=1).expand(x.shape),
    ]))
    out = silu_backward(grad, x)
    wide = x.detach().cpu().double()
    scale = grad.cpu().double().abs() * (1 + wide.abs())  # of what is added in the slope
    assert out.is_contiguous() and close(out, grad.cpu().double() * slope_float64(x), scale=scale)


@settings(max_examples=10, deadline=None)
@given(x=views(dims=st.integers(1, 3)))
def test_the_gradient_of_every_loss_is_torchs(x):
    losses = [lambda y: y.sum(), lambda y: y.square().sum(), lambda y: y.sum(0).square().sum(), lambda y: y.mT.square().sum() if y.dim() > 1 else y.sum()]
    for loss in losses:
        ours, theirs = x.detach().requires_grad_(), x.detach().cpu().double().requires_grad_()
        loss(Silu.apply(ours)).backward()
        loss(torch.nn.functional.silu(theirs)).backward()
        wide = theirs.detach().abs()
        scale = 2 * (1 + wide.sum()) * (1 + wide)
        assert close(ours.grad, theirs.grad, 24 + x.numel(), scale)


@pytest.mark.parametrize("fn", [Silu.apply, silu_op])
def test_a_lazy_negative_gradient_is_resolved(fn):
    x, arrived = normal(3, 4).requires_grad_(), []
    y = fn(x)
    y.register_hook(lambda grad: arrived.append(grad.is_neg()))
    torch.complex(normal(3, 4, seed=1), y).conj().abs().sum().backward()
    theirs = x.detach().cpu().double().requires_grad_()
    torch.complex(normal(3, 4, seed=1).cpu().double(), torch.nn.functional.silu(theirs)).conj().abs().sum().backward()
    assert arrived == [True] and close(x.grad, theirs.grad, 24, 1 + theirs.detach().abs())


@pytest.mark.parametrize("fn", [Silu.apply, silu_op])
def test_gradcheck(fn):
    x = normal(3, 4, dtype=torch.float64)
    assert torch.autograd.gradcheck(fn, (x[:, ::2].detach().requires_grad_(),))


def test_the_operators_keep_their_promises():
    x = normal(3, 4)
    assert set(torch.library.opcheck(silu_op, (x.T,)).values()) == {"SUCCESS"}
    grad = normal(4).expand(3, 4)
    assert set(torch.library.opcheck(silu_backward_op, (grad, x)).values()) == {"SUCCESS"}


def test_the_careless_backward_is_wrong_where_the_page_says_so():
    x = normal(3, 4).requires_grad_()
    w = normal(4, 3, seed=1)
    (CarelessDouble.apply(x).T * w).sum().backward()
    assert not torch.allclose(x.grad, 2 * w.T)
    wide = 2 * w.cpu().double()
    assert worst_over_budget(x.grad.sum(), wide.sum(), 12, wide.abs().sum()) <= 1


def test_as_matrices_copies_no_output():
    for x in (normal(2, 3, 4).transpose(0, 1), normal(2, 3, 4).transpose(1, 2), normal(5)[::2], normal(()).reshape(())):
        out = torch.empty(x.shape, device=DEVICE)
        assert as_matrices(x, out)[1].data_ptr() == out.data_ptr()


def test_wrappers_refuse_what_they_cannot_read():
    for fn in (silu, lambda x: scale(x, 1.0)):
        with pytest.raises(TypeError, match="int64"):
            fn(torch.zeros(2, 2, dtype=torch.int64, device=DEVICE))
        with pytest.raises(ValueError, match="meta"):
            fn(torch.empty(2, 2, device="meta"))
    with pytest.raises(ValueError, match=r"\(3,\), wanted 2-D"):
        scale(normal(3), 1.0)
    with pytest.raises(ValueError, match=r"grad is torch.float32 \(3,\), x is torch.float32 \(4,\)"):
        silu_backward(normal(3), normal(4))
    with pytest.raises(ValueError, match="lazy negative"):
        check_float("x", torch.zeros(2, dtype=torch.complex64, device=DEVICE).conj().imag)
