"""The kernels of chapter 16 against float64, on lengths that do not fit their blocks and on queries that see no key."""

import math
from types import SimpleNamespace

import pytest
import torch
import triton
from hypothesis import given, settings
from hypothesis import strategies as st

from ch07_numerics.tolerance import worst_over_budget
from ch16_attention.backward import attention, attention_backward, gradients
from ch16_attention.balance import busiest_over_mean
from ch16_attention.forward import DEVICE, LOG2E, attention_forward, attention_kernel, described
from ch16_attention.gluon_forward import gluon_forward, hopper_size, share_of, tile_of
from ch16_attention.online import online_attention
from ch16_attention.oracle import attention_oracle

TILES = (16, 16, 4, 1), (16, 16, 4, 1)


def normal(*shape, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).to(DEVICE, dtype)


def inputs(batches, heads, queries, keys, dim, dtype=torch.float32):
    q, dout = (normal(batches, heads, queries, dim, dtype=dtype, seed=seed) for seed in (0, 1))
    k, v = (normal(batches, heads, keys, dim, dtype=dtype, seed=seed) for seed in (2, 3))
    return q, k, v, dout


def truth(q, k, v, causal, scale=None):
    return attention_oracle(q.double(), k.double(), v.double(), causal, scale)


def sizes(q, k, v, dout, causal, scale=None):
    """What the roundings of out, dq, dk and dv are relative to: all that was added, without its signs.

    A score that errs by eps times amount changes its weight by the factor 1 + eps times amount, so weights count more often.
    """
    scale = q.shape[-1] ** -0.5 if scale is None else scale
    q, k, v, dout = (x.double() for x in (q, k, v, dout))
    eye = torch.eye(k.shape[2], dtype=torch.float64, device=q.device).expand(*k.shape[:3], -1)
    weights = attention_oracle(q, k, eye, causal, scale)
    amount = (q.abs() @ k.abs().transpose(-2, -1) * scale).amax(-1, keepdim=True)
    often = weights * (1 + amount)
    out = often @ v.abs() + often.sum(-1, keepdim=True) * (weights @ v).abs()
    gap = dout @ v.transpose(-2, -1) - (dout * (weights @ v)).sum(-1, keepdim=True)
    dp = dout.abs() @ v.abs().transpose(-2, -1) + (dout.abs() * out).sum(-1, keepdim=True)
    ds = (often * gap.abs() + weights * dp) * scale
    return out, ds @ k.abs(), ds.transpose(-2, -1) @ q.abs(), often.transpose(-2, -1) @ dout.abs()


def worst(found, true, q, k, v, dout, causal, scale=None, **kwargs):
    """The largest error of out (and dq, dk, dv where given) over the budget of 7.5."""
    longest = 2 * q.shape[-1] + q.shape[2] + k.shape[2] + 8  # two dots over dim, sums over queries and keys
    longest = kwargs.pop("roundings", longest)
    each = zip(found, true, sizes(q, k, v, dout, causal, scale))
    return max(worst_over_budget(x, t.detach().cpu(), longest, s.cpu(), **kwargs) for x, t, s in each)


def all_true(q, k, v, dout, causal, scale=None):
    wide = [x.double() for x in (q, k, v, dout)]
    return attention_oracle(*wide[:3], causal, scale), *gradients(attention_oracle, *wide, causal, scale)


@settings(max_examples=15, deadline=None)
@given(
    st.integers(1, 2), st.integers(1, 3), st.integers(1, 50), st.integers(1, 50),
    st.sampled_from([8, 16, 24, 64]), st.booleans(), st.sampled_from([None, 0.3]),
)
def test_every_shape_forward_and_backward(batches, heads, queries, keys, dim, causal, scale):
    q, k, v, dout = inputs(batches, heads, queries, keys, dim)
    out, lse = attention_forward(q, k, v, causal, scale, tile=TILES[0])
    found = out, *attention_backward(q, k, v, out, lse, dout, causal, scale, tiles=TILES)
    data = q, k, v, dout, causal, scale
    assert worst(found, all_true(*data), *data) <= 1


@pytest.mark.parametrize("tile", [(16, 32, 4, 1), (32, 16, 4, 1), (64, 16, 4, 1)])
@pytest.mark.parametrize("causal", [False, True])
def test_tiles_that_are_not_square(tile, causal):
    q, k, v, dout = inputs(1, 2, 70, 45, 16)
    out, lse = attention_forward(q, k, v, causal, tile=tile)
    found = out, *attention_backward(q, k, v, out, lse, dout, causal, tiles=(tile, tile))
    assert worst(found, all_true(q, k, v, dout, causal), q, k, v, dout, causal) <= 1


@pytest.mark.parametrize("keys", [16, 17, 18, 31, 32, 33, 34, 47, 48, 49, 50])
def test_every_offset_of_the_triangle_from_the_blocks(keys):
    data = *inputs(1, 1, 33, keys, 8), True
    q, k, v, dout, _ = data
    out, lse = attention_forward(q, k, v, True, tile=TILES[0])
    found = out, *attention_backward(q, k, v, out, lse, dout, True, tiles=TILES)
    true = all_true(*data)
    assert worst(found, true, *data) <= 1
    assert worst([online_attention(q, k, v, True)], true, *data) <= 1


def test_the_order_of_programs_changes_nothing():
    q, k, v, _ = inputs(2, 3, 37, 40, 8)
    one, other = (attention_forward(q, k, v, True, tile=TILES[0], long_first=first) for first in (False, True))
    assert torch.equal(one[0], other[0]) and torch.equal(one[1], other[1])


@pytest.mark.parametrize("n", [15, 16, 17, 31, 32, 33])
@pytest.mark.parametrize("causal", [False, True])
def test_half_precision_at_the_edges_of_a_block(n, causal):
    data = inputs(1, 1, n, n, 32, torch.float16)
    found = attention(*data[:3], causal), *gradients(attention, *data, causal)
    # In float16: the weights or their gradients, and the output that delta is taken from.
    half = {"compute": torch.float16, "result": torch.float16, "roundings": 2}
    assert worst(found, all_true(*data, causal), *data, causal, **half) <= 1


def test_queries_that_see_no_key_give_zeros_and_zero_gradients():
    q, k, v, dout = inputs(1, 1, 40, 7, 16)
    out, lse = attention_forward(q, k, v, True)
    assert (out[:, :, :33] == 0).all() and (out[:, :, 33:] != 0).all()
    assert (lse[:, :, :33] == math.inf).all() and lse[:, :, 33:].isfinite().all()
    dq, dk, dv = attention_backward(q, k, v, out, lse, dout, True)
    assert (dq[:, :, :33] == 0).all()
    assert worst((out, dq, dk, dv), all_true(q, k, v, dout, True), q, k, v, dout, True) <= 1
    for other in (-math.inf, 0.0):  # the causal mask alone would do: it picks, and does not multiply
        changed = attention_backward(q, k, v, out, torch.where(lse == math.inf, other, lse), dout, True)
        assert all(torch.equal(x, y) for x, y in zip(changed, (dq, dk, dv)))


@pytest.mark.parametrize("shape", [(0, 2, 3, 3, 8), (1, 2, 0, 3, 8), (1, 2, 3, 0, 8)])
def test_nothing(shape):
    data = inputs(*shape)
    assert torch.equal(attention(*data[:3], True), torch.zeros_like(data[0]))
    assert all((x == 0).all() for x in gradients(attention, *data, True))


@pytest.mark.parametrize("shape", [(65536, 1), (2, 32768)])
def test_more_heads_than_a_grid_holds_are_refused(shape):
    x = torch.zeros(1, 1, 1, 8, device=DEVICE).expand(*shape, 1, 8)
    with pytest.raises(ValueError, match="at most 65535"):
        attention_forward(x, x, x)
    x = x.contiguous()
    with pytest.raises(ValueError, match="at most 65535"):
        online_attention(x, x, x)


def test_logsumexp_is_in_base_two():
    q, k, v, _ = inputs(1, 1, 9, 21, 16)
    lse = attention_forward(q, k, v, scale=0.5)[1]
    true = torch.logsumexp(q.double() @ k.double().transpose(-2, -1) * 0.5, -1) * LOG2E
    scale = 1 + (q.double().abs() @ k.double().abs().transpose(-2, -1)).amax(-1) * 0.5 * LOG2E
    assert worst_over_budget(lse, true.cpu(), 16 + 21 + 8, scale.cpu()) <= 1


@pytest.mark.parametrize("size", [30.0, 1e3])
def test_large_scores_stay_finite(size):
    q, k, v, dout = inputs(1, 1, 37, 37, 16)
    data = q.abs() * size, -k.abs(), v, dout  # every score far below 0
    found = attention(*data[:3], True), *gradients(attention, *data, True)
    assert all(x.isfinite().all() for x in found)
    assert worst(found, all_true(*data, True), *data, True) <= 1


def test_any_strides():
    q, k, v, dout = (x.transpose(1, 2).contiguous().transpose(1, 2) for x in inputs(2, 3, 20, 25, 16))
    assert worst([attention(q, k, v, True)], [truth(q, k, v, True)], q, k, v, dout, True) <= 1
    shifted = torch.cat([q[..., :1], q], -1)[..., 1:]  # begins 4 bytes on
    assert torch.equal(attention(shifted, k, v), attention(q, k, v))
    one_head = k[:, :1].expand(-1, 3, -1, -1), v[:, :1].expand(-1, 3, -1, -1)  # stride 0
    assert worst([attention(q, *one_head)], [truth(q, *one_head, False)], q, *one_head, dout, False) <= 1
    leaves = [x.clone().requires_grad_() for x in (q, k, v)]
    attention(*leaves, True).sum().backward()  # an expanded gradient
    data = q, k, v, torch.ones_like(q), True
    assert worst([attention(q, k, v, True), *(x.grad for x in leaves)], all_true(*data), *data) <= 1


def test_stores_stay_inside():
    q, k, v, _ = inputs(1, 1, 17, 19, 24)
    whole = torch.full((1, 3, 17, 24), 9.0, device=DEVICE)
    sums = torch.full((3, 17), 9.0, device=DEVICE)
    attention_kernel[(2, 1)](
        described(q, 16), described(k, 16), described(v, 16), described(whole[:, 1:2], 16), sums[1], 1, 17, 19, 0.1,
        CAUSAL=False, LONG_FIRST=True, BLOCK_M=16, BLOCK_N=16, BLOCK_D=32, PRECISION="ieee",
    )
    data = q, k, v, q, False, 0.1 / LOG2E
    assert worst([whole[:, 1:2]], [truth(q, k, v, False, 0.1 / LOG2E)], *data) <= 1
    assert (whole[0, ::2] == 9).all() and (sums[::2] == 9).all()


def test_refusals():
    q, k, v, _ = inputs(1, 2, 5, 6, 16)
    with pytest.raises(ValueError, match="head dim 12"):
        attention_forward(q[..., :12], k[..., :12], v[..., :12])
    with pytest.raises(ValueError, match="head dim 136"):
        attention_forward(*(torch.zeros(1, 1, 2, 136, device=DEVICE) for _ in range(3)))
    with pytest.raises(ValueError, match=r"k \(1, 2, 6, 16\)"):
        attention_forward(q[:, :1], k, v)
    with pytest.raises(ValueError, match=r"got shape \(2, 5, 16\)"):
        attention_forward(q[0], k, v)
    with pytest.raises(TypeError, match="torch.float64"):
        attention_forward(q.double(), k.double(), v.double())
    with pytest.raises(TypeError, match="q is torch.float32, but k is torch.float16"):
        attention_forward(q, k.half(), v)
    for scale in (0.0, -1.0, math.inf, math.nan):
        with pytest.raises(ValueError, match="positive"):
            attention_forward(q, k, v, scale=scale)
    out, lse = attention_forward(q, k, v)
    with pytest.raises(ValueError, match="dout"):
        attention_backward(q, k, v, out, lse, q[:, :, :4])


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.sampled_from([5, 16, 30]), st.booleans())
def test_online_kernel(queries, keys, dim, causal):
    q, k, v, _ = inputs(1, 2, queries, keys, dim)
    assert worst([online_attention(q, k, v, causal)], [truth(q, k, v, causal)], q, k, v, q, causal) <= 1


def test_online_kernel_of_nothing_and_its_refusals():
    q, k, v, _ = inputs(1, 1, 3, 0, 16)
    assert (online_attention(q, k, v) == 0).all()
    assert online_attention(k, v, v).shape == (1, 1, 0, 16)
    with pytest.raises(ValueError, match="contiguous"):
        online_attention(q.expand(1, 2, 3, 16), k, v)


def test_oracle_by_finite_differences():
    q, k, v, _ = (x.double() for x in inputs(1, 1, 6, 4, 3))
    leaves = [x.requires_grad_() for x in (q, k, v)]
    assert torch.autograd.gradcheck(lambda *x: attention_oracle(*x, True, 0.7), leaves)


def test_the_gluon_kernel_is_for_two_bytes_and_two_head_dims():
    q, k, v, _ = inputs(1, 1, 5, 6, 64)
    with pytest.raises(ValueError, match="float32 of head dim 64"):
        gluon_forward(q, k, v)
    with pytest.raises(ValueError, match="head dim 16"):
        gluon_forward(*(x[..., :16].half() for x in (q, k, v)))
    nothing = gluon_forward(q.half(), k[:, :, :0].half(), v[:, :, :0].half())
    assert (nothing[0] == 0).all() and (nothing[1] == math.inf).all()


@pytest.mark.skipif(DEVICE != "cuda", reason="Gluon has no interpreter")
@pytest.mark.parametrize("queries,keys", [(1, 1), (63, 129), (127, 128), (129, 127), (300, 1)])
@pytest.mark.parametrize("causal,paired", [(False, None), (True, False), (True, True)])
def test_gluon_at_the_edges_of_a_block(queries, keys, causal, paired):
    data = inputs(2, 3, queries, keys, 64, torch.float16)
    out, lse = gluon_forward(*data[:3], causal, paired=paired)
    half = {"compute": torch.float16, "result": torch.float16, "roundings": 2}
    assert worst([out], [truth(*data[:3], causal)], *data, causal, **half) <= 1
    other = attention_forward(*data[:3], causal)[1]
    assert torch.equal(lse == math.inf, other == math.inf)


def test_no_program_has_more_than_its_share_when_tiles_come_in_couples():
    for length in (1024, 2048, 4096, 8192, 16384):
        assert 1 <= busiest_over_mean(length, True) < 1.05
    assert busiest_over_mean(16384, False) > 1.5


@pytest.mark.parametrize("programs", [1, 7, 132])
@pytest.mark.parametrize("paired", [False, True])
@pytest.mark.parametrize("tiles,pairs", [(1, 1), (1, 300), (2, 3), (3, 50), (8, 1), (9, 16), (128, 5)])
def test_gluon_deals_every_tile_once(monkeypatch, programs, paired, tiles, pairs):
    """share_of and tile_of as plain Python: Gluon has no interpreter."""

    class Language:
        num_programs = staticmethod(lambda axis: programs)
        cdiv = staticmethod(triton.cdiv)
        where = staticmethod(lambda condition, x, y: x if condition else y)

    monkeypatch.setitem(share_of.fn.__globals__, "gl", Language)
    dealt = []
    for place in range(programs):
        Language.program_id = staticmethod(lambda axis, place=place: place)
        for number in range(share_of.fn(tiles, pairs, paired)):
            dealt.append(tile_of.fn(number, tiles, paired))
    real = [(pair, tile) for pair, tile in dealt if tile < tiles]  # blocks_of gives the other nothing to do
    assert sorted(real) == [(pair, tile) for pair in range(pairs) for tile in range(tiles)]
    assert len(dealt) - len(real) == (pairs if paired and tiles % 2 else 0)


def test_gluon_refuses_what_is_no_hopper(monkeypatch):
    with pytest.raises(ValueError, match="cpu is not a GPU"):
        hopper_size(torch.device("cpu"))
    gpu = SimpleNamespace(name="NVIDIA B200", major=10, minor=0, multi_processor_count=148)
    monkeypatch.setattr(torch.cuda, "get_device_properties", lambda device: gpu)
    monkeypatch.setattr(torch.version, "hip", None)
    with pytest.raises(ValueError, match="NVIDIA B200 is sm_100"):
        hopper_size(torch.device("cuda"))
    gpu.major = 9
    assert hopper_size(torch.device("cuda")) == 148
