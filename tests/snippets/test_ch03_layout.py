"""The kernels of chapter 3 against torch, on sizes, strides and views that break careless kernels."""

import pytest
import torch
import triton
from hypothesis import given, settings
from hypothesis import strategies as st

from ch03_layout.interleaved import copy_with, interleaved_copy_kernel
from ch03_layout.known_length import known_copy_kernel
from ch03_layout.records import FIELDS, energy, energy_of_records, one_field
from ch03_layout.split_tail import split_copy_kernel
from ch03_layout.strided import every
from ch03_layout.transpose import naive_transpose, tiled_transpose
from ch03_layout.views import DEVICE, behind, copy_kernel
from ch07_numerics.tolerance import worst_over_budget

BLOCK = 16
SIZES = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 3]
COPIES = [copy_kernel, interleaved_copy_kernel, split_copy_kernel]
TRANSPOSES = [lambda x: naive_transpose(x, block=BLOCK), lambda x: tiled_transpose(x, tile=BLOCK)]
DTYPES = [torch.uint8, torch.float16, torch.float32, torch.int64]


def normal(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).to(DEVICE)


def whole(*shape, dtype=torch.float32, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(0, 100, shape, generator=generator).to(dtype).to(DEVICE)


def columns_of(p):
    """The same particles, field by field in memory."""
    return p.T.contiguous().T


def energy_float64(p):
    wide = p.double().cpu()
    return 0.5 * wide[:, 3] * (wide[:, :3] ** 2).sum(dim=1)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("kernel", COPIES)
@pytest.mark.parametrize("n", SIZES)
def test_copies_take_every_size_and_dtype(kernel, n, dtype):
    x = whole(n, dtype=dtype)
    assert torch.equal(copy_with(kernel, x, block=BLOCK), x)


@pytest.mark.parametrize("kernel", COPIES)
@pytest.mark.parametrize("n", [1, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK - 1])
def test_copies_leave_alone_what_is_not_theirs(kernel, n):
    room = torch.full((3 * BLOCK,), 7.0, device=DEVICE)
    x = normal(2 * BLOCK)  # what lies behind x[:n] must not be copied
    kernel[(triton.cdiv(n, BLOCK),)](x, room[3:], n, BLOCK=BLOCK)
    assert torch.equal(room[3 : 3 + n], x[:n])
    assert (room[:3] == 7).all() and (room[3 + n :] == 7).all()


@pytest.mark.parametrize("n", SIZES[1:])
def test_a_length_that_is_known_at_compile_time(n):
    x, out = normal(n), torch.full((6 * BLOCK,), 7.0, device=DEVICE)
    known_copy_kernel[(triton.cdiv(n, BLOCK),)](x, out, N=n, BLOCK=BLOCK)
    assert torch.equal(out[:n], x) and (out[n:] == 7).all()


def test_copy_with_refuses_a_view_that_is_not_contiguous():
    with pytest.raises(ValueError, match="strides"):
        copy_with(copy_kernel, normal(4, 6).T)


@settings(max_examples=20, deadline=None)
@given(rows=st.integers(1, 6), columns=st.integers(1, 6), row=st.integers(0, 5), column=st.integers(0, 5))
def test_behind_reads_the_storage_from_where_the_view_begins(rows, columns, row, column):
    x = whole(rows, columns)
    view = x[row % rows :, column % columns :]
    flat = x.reshape(-1).tolist()
    assert behind(view).tolist() == flat[view.storage_offset() :]
    assert behind(view.T).tolist() == flat[view.storage_offset() :]


def test_behind_an_empty_tensor_is_nothing():
    assert behind(torch.empty(0, device=DEVICE)).tolist() == []


@settings(max_examples=25, deadline=None)
@given(n=st.integers(0, 120), stride=st.integers(1, 40))
def test_every_is_a_slice_with_a_step(n, stride):
    x = normal(n)
    assert torch.equal(every(x, stride, block=BLOCK), x[::stride])


def test_every_refuses_what_it_cannot_read():
    x = normal(4, 4)
    for wrong in (x, x[:, 0]):
        with pytest.raises(ValueError, match="one contiguous axis"):
            every(wrong, 2)
    with pytest.raises(ValueError, match="stride 0"):
        every(x.reshape(-1), 0)


@pytest.mark.parametrize("n", SIZES)
@pytest.mark.parametrize("field", range(FIELDS))
def test_one_field_of_any_layout(n, field):
    p = normal(n, FIELDS)
    padded = normal(n, FIELDS + 3, seed=1)[:, 2 : 2 + FIELDS]
    for layout in (p, columns_of(p), padded):
        assert torch.equal(one_field(layout, field, block=BLOCK), layout[:, field])


@pytest.mark.parametrize("n", SIZES)
def test_energies_are_the_same_from_every_layout(n):
    p = normal(n, FIELDS)
    truth = energy_float64(p)
    for found in (energy(p, BLOCK), energy(columns_of(p), BLOCK), energy_of_records(p, BLOCK)):
        # No term is larger than the sum.
        assert worst_over_budget(found, truth, 6) <= 1


def test_fields_that_lie_further_apart_than_an_int32_reaches():
    far = 2**30  # three fields on, the offset is 3 * 2**30 elements
    try:
        room = torch.empty(3 * far + 2, device=DEVICE)
    except RuntimeError:
        pytest.skip("no 12 GiB of addresses here")
    p = room.as_strided((2, FIELDS), (1, far))  # four pages are touched
    p.copy_(normal(2, FIELDS))
    assert torch.equal(one_field(p, FIELDS - 1), p[:, FIELDS - 1])
    assert worst_over_budget(energy(p), energy_float64(p), 6) <= 1


def test_particles_that_are_none_are_refused():
    with pytest.raises(TypeError, match="float64"):
        energy(normal(3, FIELDS).double())
    with pytest.raises(ValueError, match=r"shape \(3, 5\)"):
        energy(normal(3, 5))
    with pytest.raises(ValueError, match=r"shape \(12,\)"):
        one_field(normal(12), 0)
    for field in (-1, FIELDS):
        with pytest.raises(ValueError, match=f"field {field}"):
            one_field(normal(3, FIELDS), field)
    with pytest.raises(ValueError, match="strides"):
        energy_of_records(columns_of(normal(3, FIELDS)))


@pytest.mark.parametrize("transpose", TRANSPOSES)
@pytest.mark.parametrize("rows", SIZES)
@pytest.mark.parametrize("columns", [1, BLOCK + 1])
def test_transposes_take_every_size(transpose, rows, columns):
    x = normal(rows, columns)
    for matrix in (x, x.T.contiguous()):
        out = transpose(matrix)
        assert out.is_contiguous() and torch.equal(out, matrix.T)


@settings(max_examples=20, deadline=None)
@given(rows=st.integers(0, 24), columns=st.integers(0, 24), dtype=st.sampled_from(DTYPES))
def test_transposing_twice_changes_nothing(rows, columns, dtype):
    x = whole(rows, columns, dtype=dtype)
    for transpose in TRANSPOSES:
        assert torch.equal(transpose(transpose(x)), x)


@pytest.mark.parametrize("transpose", TRANSPOSES)
def test_transposes_refuse_what_is_no_contiguous_matrix(transpose):
    for wrong in (normal(4, 6).T, normal(4), normal(2, 3, 4), normal(4, 6)[:, :3]):
        with pytest.raises(ValueError, match="contiguous matrix"):
            transpose(wrong)
