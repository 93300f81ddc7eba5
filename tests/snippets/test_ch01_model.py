"""The kernels of chapter 1 against torch, on sizes and values that break careless kernels."""

import pytest
import torch
import triton
from hypothesis import given, settings
from hypothesis import strategies as st

from ch01_model.arena import SLOT, Arena, count_up
from ch01_model.fold import columns
from ch01_model.relu_toggle import DEVICE, check_floats, relu_toggle
from ch01_model.skip_block import cut_down
from ch01_model.tickets import order_of_programs
from ch01_model.where_abs import abs_where
from ch01_model.who_am_i import who_am_i

BLOCK = 16
SIZES = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5]

shapes = st.lists(st.integers(0, 6), min_size=1, max_size=3)
WRAPPERS = {
    "relu_toggle": lambda x: relu_toggle(x, True, BLOCK)[0],
    "abs_where": lambda x: abs_where(x, BLOCK),
}


def normal(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).to(DEVICE)


@pytest.mark.parametrize("use_relu", [True, False])
@pytest.mark.parametrize("n", SIZES)
def test_relu_toggle_clamps_or_copies(n, use_relu):
    x = normal(n)
    out, _ = relu_toggle(x, use_relu, BLOCK)
    assert torch.equal(out, torch.relu(x) if use_relu else x)


@settings(max_examples=15, deadline=None)
@given(shape=shapes, block=st.sampled_from([1, 2, 16, 64]), seed=st.integers(0, 99))
def test_relu_toggle_takes_every_shape_and_block(shape, block, seed):
    x = normal(*shape, seed=seed)
    out, _ = relu_toggle(x, True, block)
    assert out.shape == x.shape and torch.equal(out, torch.relu(x))


@pytest.mark.parametrize("n", SIZES)
def test_abs_where(n):
    x = normal(n)
    assert torch.equal(abs_where(x, BLOCK), x.abs())


def test_abs_where_at_the_ends_of_float32():
    inf, nan = float("inf"), float("nan")
    x = torch.tensor([inf, -inf, 0.0, -0.0, nan, 1e-45, -3e38], device=DEVICE)
    assert torch.equal(abs_where(x, BLOCK).nan_to_num(7), x.abs().nan_to_num(7))


@pytest.mark.parametrize("fixed", [True, False])
@pytest.mark.parametrize("width", [1, 2, 3, 7, 16, 1000])
@pytest.mark.parametrize("n", SIZES)
def test_columns_from_the_right(n, width, fixed):
    out, _ = columns(n, width, fixed, BLOCK)
    assert torch.equal(out.long(), width - 1 - torch.arange(n, device=DEVICE) % width)


@pytest.mark.parametrize("n, width", [(-1, 3), (3, 0), (2**31, 3)])
def test_columns_refuses_what_it_cannot_count(n, width):
    with pytest.raises(ValueError, match=f"n = {n}, width = {width}"):
        columns(n, width, True)


@settings(max_examples=15, deadline=None)
@given(n=st.integers(0, 70), block=st.sampled_from([1, 4, 32]))
def test_who_am_i_rebuilds_every_offset(n, block):
    program, lane = who_am_i(n, block)
    assert torch.equal((program * block + lane).long(), torch.arange(n, device=DEVICE))
    assert n == 0 or 0 <= lane.min() and lane.max() < block


@pytest.mark.parametrize("programs", [0, 1, 2, 33])
def test_every_program_draws_one_ticket(programs):
    order = order_of_programs(programs)
    assert sorted(order.tolist()) == list(range(programs))


@pytest.mark.parametrize("limit", [-10.0, 0.0, 0.5, 10.0])
@pytest.mark.parametrize("n", SIZES)
def test_cut_down_and_who_skipped(n, limit):
    x = normal(n)
    want = x.clamp(max=limit)
    busy = [int(not (piece > limit).any()) for piece in x.split(BLOCK)] if n else []
    skipped = cut_down(x, limit, BLOCK)
    assert torch.equal(x, want) and skipped.tolist() == busy


def test_cut_down_keeps_nan_and_still_sees_its_neighbours():
    x = torch.tensor([float("nan"), 9.0, float("inf")], device=DEVICE)
    cut_down(x, 3.0, 4)
    assert x.isnan().tolist() == [True, False, False] and x[1:].tolist() == [3.0, 3.0]


@pytest.mark.parametrize("n", SIZES)
def test_count_up_stays_inside(n):
    buffer = torch.full((n + 2 * BLOCK,), 7.0, device=DEVICE)
    count_up(buffer[BLOCK : BLOCK + n], 3.0, BLOCK)
    assert buffer[BLOCK : BLOCK + n].tolist() == [3.0 + i for i in range(n)]
    assert (buffer[:BLOCK] == 7).all() and (buffer[BLOCK + n :] == 7).all()


@pytest.mark.parametrize("unfit", [torch.zeros(4).double(), torch.zeros(4, 4).T, torch.zeros(1).expand(4)])
def test_count_up_refuses_what_it_cannot_write(unfit):
    with pytest.raises(ValueError, match="need contiguous float32"):
        count_up(unfit[1:] if unfit.dim() > 1 else unfit, 0.0)


def test_arena_lends_every_slot_once_and_takes_it_back():
    arena = Arena(slots=3)
    parts = [arena.take() for _ in range(3)]
    assert len({part.data_ptr() for part in parts}) == 3 and all(len(part) == SLOT for part in parts)
    with pytest.raises(MemoryError):
        arena.take()
    arena.give_back(parts[1])
    with pytest.raises(ValueError, match="twice"):
        arena.give_back(parts[1])
    assert arena.take().data_ptr() == parts[1].data_ptr()


@pytest.mark.parametrize("name", WRAPPERS)
def test_contract_of_every_wrapper(name):
    call = WRAPPERS[name]
    with pytest.raises(ValueError, match=r"contiguous.*\(4, 3\).*\(1, 4\)"):
        call(normal(3, 4).T)
    with pytest.raises(ValueError, match=r"contiguous.*\(8,\).*\(0,\)"):
        call(normal(1).expand(8))
    with pytest.raises(TypeError, match="torch.int64"):
        call(torch.arange(4, device=DEVICE))
    with pytest.raises(ValueError, match="meta"):
        call(torch.empty(4, device="meta"))
    before = normal(40)
    x = before.clone()
    call(x)
    assert torch.equal(x, before), "an input was changed"


@pytest.mark.parametrize("name", WRAPPERS)
def test_nothing_is_written_beyond_the_output(name, monkeypatch):
    """The output lies in a larger buffer; what surrounds it must stay as it was."""
    buffers = []

    def empty_inside_a_buffer(x):
        buffers.append(torch.full((x.numel() + 2 * BLOCK,), 7.0, device=DEVICE))
        return buffers[-1][BLOCK : BLOCK + x.numel()]

    monkeypatch.setattr(torch, "empty_like", empty_inside_a_buffer)
    WRAPPERS[name](normal(BLOCK + 5))
    assert len(buffers) == 1
    assert (buffers[0][:BLOCK] == 7.0).all() and (buffers[0][-BLOCK:] == 7.0).all()


def test_lengths_beyond_32_bit_offsets_are_refused():
    class Long:
        """A tensor of 2**30 + 1 elements, without its four gibibytes."""

        dtype, device = torch.float32, torch.device(DEVICE)
        numel = staticmethod(lambda: 2**30 + 1)
        is_contiguous = staticmethod(lambda: True)

    with pytest.raises(ValueError, match=f"n <= {2**30}, got {2**30 + 1}"):
        check_floats(Long())


def test_relay_is_right_only_in_the_order_of_the_interpreter():
    from ch01_model.relay import relay_kernel

    out = torch.zeros(9, dtype=torch.int32, device=DEVICE)
    relay_kernel[(9,)](out, REVERSED=False)
    assert out.tolist() == list(range(1, 10))
    out.zero_()
    relay_kernel[(9,)](out, REVERSED=True)
    assert out.tolist() == [1] * 9


@pytest.mark.parametrize("n", SIZES)
def test_where_and_product_agree_on_finite_numbers(n):
    from ch01_model.times_mask import two_relus_kernel

    x = normal(n)
    product, where = torch.zeros_like(x), torch.zeros_like(x)
    if n:
        two_relus_kernel[(triton.cdiv(n, BLOCK),)](x, product, where, n, BLOCK=BLOCK)
    assert torch.equal(product, torch.relu(x)) and torch.equal(where, torch.relu(x))
