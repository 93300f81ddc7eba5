"""The kernels of chapter 4 against torch's own views and Python's own integers."""

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from triton.tools.tensor_descriptor import TensorDescriptor

from ch04_pointers.broadcast_add import broadcast_add
from ch04_pointers.byte_strides import take
from ch04_pointers.descriptor_copy import copy_by_host_descriptor, copy_by_made_descriptor
from ch04_pointers.descriptor_edges import peek
from ch04_pointers.row_offset import row_offset_kernel
from ch04_pointers.step import DEVICE, bytes_kernel, raw_bytes, step_kernel
from ch04_pointers.tile_copy import copy2d, copy_tile_kernel, offsets_kernel
from ch04_pointers.wide_offsets import BLOCK, copy1d

M, N = 4, 8
EDGES = [(0, 5), (5, 0), (1, 1), (M - 1, N - 1), (M, N), (M + 1, N + 1), (2 * M + 3, 3 * N - 1)]
VIEWS = {
    "contiguous": lambda x: x,
    "transposed": lambda x: x.T,
    "window": lambda x: x[1:, 2:],
    "every other column": lambda x: x[:, ::2],
    "a column, expanded": lambda x: x[:, :1].expand(len(x), 9),
    "a row, expanded": lambda x: x[:1].expand(9, x.shape[1]),
}


def normal(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).to(DEVICE)


@pytest.mark.parametrize("dtype", [torch.bool, torch.int8, torch.float16, torch.float32, torch.int64, torch.float64])
def test_one_step_is_one_element(dtype):
    x = torch.zeros(2, dtype=dtype, device=DEVICE)
    out = torch.empty(1, dtype=torch.int64, device=DEVICE)
    step_kernel[(1,)](x, out)
    assert out.item() == x.element_size()


@pytest.mark.parametrize("n", [0, 1, 7, 8, 9, 33])
@pytest.mark.parametrize("dtype", [torch.float16, torch.float32])
def test_raw_bytes_are_those_of_torch(n, dtype):
    x = normal(n).to(dtype)
    assert torch.equal(raw_bytes(x, block=16), x.view(torch.uint8))


@pytest.mark.parametrize("n", [1, 7, 16])
def test_bytes_kernel_stops_at_the_last_byte(n):
    x, out = normal(8), torch.full((32,), 7, dtype=torch.uint8, device=DEVICE)
    bytes_kernel[(2,)](x, out, n, BLOCK=16)
    assert torch.equal(out[:n], x.view(torch.uint8)[:n])
    assert (out[n:] == 7).all()


def test_raw_bytes_refuses_what_it_cannot_read():
    with pytest.raises(ValueError, match=r"strides \(2,\)"):
        raw_bytes(normal(8)[::2])
    with pytest.raises(ValueError, match="meta"):
        raw_bytes(torch.empty(4, device="meta"))


@pytest.mark.parametrize("n", [0, 1, 3, 4, 5, 9])
@pytest.mark.parametrize("step", [1, 3, 4])
@pytest.mark.parametrize("dtype", [torch.int8, torch.float32])
def test_take_steps_in_elements_of_the_dtype(n, step, dtype):
    whole = (normal(step * max(n, 1)) * 50).to(dtype)
    assert torch.equal(take(whole[::step][:n], step), whole[::step][:n])


def test_take_refuses():
    with pytest.raises(ValueError, match="2 axes"):
        take(normal(2, 3), 1)
    with pytest.raises(ValueError, match="meta"):
        take(torch.empty(3, device="meta"), 1)


@settings(max_examples=25, deadline=None)
@given(stride_m=st.integers(-9, 99), stride_n=st.integers(-9, 99))
def test_a_block_of_offsets_is_the_sum_of_its_products(stride_m, stride_n):
    out = torch.empty(4, 8, dtype=torch.int64, device=DEVICE)
    offsets_kernel[(1,)](out, stride_m, stride_n, BLOCK_M=4, BLOCK_N=8)
    assert out.tolist() == [[i * stride_m + j * stride_n for j in range(8)] for i in range(4)]


@pytest.mark.parametrize("shape", EDGES)
@pytest.mark.parametrize("view", VIEWS)
def test_copy2d_copies_every_view(shape, view):
    x = VIEWS[view](normal(*shape)) if 0 not in shape else normal(*shape)
    out = copy2d(x, torch.full(x.shape, 7.0, device=DEVICE), block_m=M, block_n=N)
    assert torch.equal(out, x)


@pytest.mark.parametrize("view", ["transposed", "window", "every other column"])
def test_copy2d_writes_only_the_elements_of_a_view(view):
    whole = torch.full((9, 11), 7.0, device=DEVICE)
    target = VIEWS[view](whole)
    x = normal(*target.shape)
    expected = whole.clone()
    VIEWS[view](expected).copy_(x)
    copy2d(x, target, block_m=M, block_n=N)
    assert torch.equal(whole, expected)


@settings(max_examples=25, deadline=None)
@given(m=st.integers(0, 11), n=st.integers(0, 19), transposed=st.booleans(), seed=st.integers(0, 99))
def test_copy2d_on_random_shapes(m, n, transposed, seed):
    x = normal(n, m, seed=seed).T if transposed else normal(m, n, seed=seed)
    assert torch.equal(copy2d(x, torch.empty(m, n, device=DEVICE), block_m=M, block_n=N), x)


@pytest.mark.parametrize("dtype", [torch.bool, torch.int8, torch.float16, torch.bfloat16, torch.int64])
def test_copy2d_moves_any_dtype(dtype):
    x = (normal(5, 9) * 8).to(dtype)
    assert torch.equal(copy2d(x, torch.zeros_like(x), block_m=M, block_n=N), x)


def test_copy2d_refuses_what_it_cannot_write():
    x = normal(3, 4)
    with pytest.raises(ValueError, match=r"\(3, 4\), out \(4, 3\)"):
        copy2d(x, torch.empty(4, 3, device=DEVICE))
    with pytest.raises(ValueError, match="two axes"):
        copy2d(x[0], torch.empty(4, device=DEVICE))
    with pytest.raises(TypeError, match="float64"):
        copy2d(x, torch.empty(3, 4, dtype=torch.float64, device=DEVICE))
    with pytest.raises(ValueError, match="meta"):
        copy2d(x, torch.empty(3, 4, device="meta"))
    with pytest.raises(ValueError, match="3 values to one element"):
        copy2d(x, torch.empty(1, 4, device=DEVICE).expand(3, 4))


@pytest.mark.parametrize("shape", [(1, 1), (M - 1, N + 1), (M + 1, N)])
def test_the_kernel_itself_reads_upside_down_by_a_negative_stride(shape):
    x, out = normal(*shape), torch.empty(shape, device=DEVICE)
    grid = (-(-shape[0] // M), -(-shape[1] // N))
    copy_tile_kernel[grid](x[-1:], out, *shape, -shape[1], 1, *out.stride(), BLOCK_M=M, BLOCK_N=N)
    assert torch.equal(out, x.flip(0))


def test_the_kernel_itself_stores_through_a_stride_of_0():
    x, out = normal(3, 4), torch.empty(1, 4, device=DEVICE)
    copy_tile_kernel[(3, 1)](x, out, 3, 4, 4, 1, 0, 1, BLOCK_M=1, BLOCK_N=4)
    assert any(torch.equal(row, out[0]) for row in x)


@pytest.mark.parametrize("shape", EDGES)
@pytest.mark.parametrize("kind", ["full", "row", "column", "number", "scalar"])
def test_broadcast_add_equals_torch(shape, kind):
    m, n = shape
    x = normal(m, n)
    b = {"full": (m, n), "row": (n,), "column": (m, 1), "number": (1, 1), "scalar": ()}[kind]
    b = normal(*b, seed=1) if b else normal(1, seed=1)[0]
    assert torch.equal(broadcast_add(x, b, block_m=M, block_n=N), x + b)
    assert torch.equal(broadcast_add(x.T.contiguous().T, b, block_m=M, block_n=N), x + b)


def test_broadcast_add_refuses():
    x = normal(3, 4)
    with pytest.raises(RuntimeError, match="expand"):
        broadcast_add(x, x[:2])
    with pytest.raises(ValueError, match="3 axes"):
        broadcast_add(normal(2, 3, 4), x)
    with pytest.raises(TypeError, match="b is torch.float64"):
        broadcast_add(x, x.double())
    with pytest.raises(ValueError, match="meta"):
        broadcast_add(x, torch.empty(4, device="meta"))


def wrapped(value):
    """What is left of an integer in 32 bits."""
    return (value + 2**31) % 2**32 - 2**31


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
@settings(max_examples=40, deadline=None)
@given(row=st.integers(2, 2**31 - 1), col=st.integers(2, 2**31 - 1), stride=st.integers(2, 2**31 - 1))
def test_offsets_wrap_where_they_are_narrow_and_only_there(row, col, stride):
    byte = torch.zeros(1, dtype=torch.int8, device=DEVICE)
    out = torch.empty(4, dtype=torch.int64, device=DEVICE)
    row_offset_kernel[(1,)](byte, out, row, col, stride)
    narrow, wide, together, one_by_one = out.tolist()
    assert narrow == wrapped(row * stride)
    assert wide == row * stride
    assert together == wrapped(wrapped(row * stride) + col)
    assert one_by_one == wrapped(row * stride) + col


@pytest.mark.parametrize("wide", [False, True])
@pytest.mark.parametrize("n", [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 7])
def test_copy1d_covers_every_size(wide, n):
    x, whole = normal(n), torch.full((n + BLOCK,), 7.0, device=DEVICE)
    assert torch.equal(copy1d(x, whole[:n], wide), x)
    assert (whole[n:] == 7.0).all()


def test_copy1d_knows_where_32_bits_end():
    x = torch.empty(1, dtype=torch.int8, device=DEVICE).expand(2**31)
    with pytest.raises(ValueError, match="contiguous"):
        copy1d(x, x, wide=False)
    with pytest.raises(ValueError, match=r"out \(3,\)"):
        copy1d(normal(2), normal(3), wide=True)


@pytest.mark.parametrize("copy", [copy_by_host_descriptor, copy_by_made_descriptor])
@pytest.mark.parametrize("shape", [(1, 4), (3, 4), (4, 8), (5, 12), (11, 20)])
def test_descriptors_copy_what_pointers_copy(copy, shape):
    m, n = shape
    x = normal(m, 32)[:, :n]  # rows of 128 bytes
    whole = torch.full((m + 2, 36), 7.0, device=DEVICE)  # of 144
    copy(x, whole[1 : m + 1, :n], 4, 8)
    expected = torch.full((m + 2, 36), 7.0, device=DEVICE)
    copy2d(x, expected[1 : m + 1, :n], 4, 8)
    assert torch.equal(whole, expected)


@pytest.mark.parametrize("copy", [copy_by_host_descriptor, copy_by_made_descriptor])
def test_descriptors_refuse_what_the_hardware_cannot_read(copy):
    x = normal(8, 8)
    with pytest.raises(AssertionError, match="16-byte"):
        copy(x.T, torch.empty_like(x), 4, 4)
    with pytest.raises(AssertionError, match="16-byte"):
        copy(x[:, 1:5], torch.empty(8, 4, device=DEVICE), 4, 4)
    with pytest.raises(AssertionError, match="positive"):
        copy(x[:0], torch.empty_like(x[:0]), 4, 4)
    with pytest.raises(ValueError, match="rows of 20 bytes"):
        copy(x[:, :5], torch.empty_like(x)[:, :5], 4, 4)


@pytest.mark.parametrize("copy", [copy_by_host_descriptor, copy_by_made_descriptor])
def test_descriptor_copies_refuse_tensors_that_do_not_match(copy):
    x = normal(8, 8)
    with pytest.raises(ValueError, match=r"\(8, 8\) of torch.float32, out \(4, 8\)"):
        copy(x, torch.empty(4, 8, device=DEVICE), 4, 4)
    with pytest.raises(ValueError, match="torch.float16"):
        copy(x, torch.empty(8, 8, dtype=torch.float16, device=DEVICE), 4, 4)
    with pytest.raises(ValueError, match="x is \\(8,\\)"):
        copy(x[0], x[1], 4, 4)
    with pytest.raises(ValueError, match="meta"):
        copy(x, torch.empty(8, 8, device="meta"), 4, 4)
    with pytest.raises(ValueError, match=r"strides \(0, 1\)"):
        copy(x, torch.empty(1, 8, device=DEVICE).expand(8, 8), 4, 4)


@pytest.mark.parametrize(
    "view, accepted",
    [
        (lambda x: x[:, :99], True),
        (lambda x: x.T, False),
        (lambda x: x[::2], True),
        (lambda x: x[:, 4:], True),
        (lambda x: x[:, 2:], False),
    ],
)
def test_which_views_a_descriptor_takes(view, accepted):
    """The answer to self-check question 6."""
    x = torch.zeros(8, 128, device=DEVICE)
    if accepted:
        TensorDescriptor.from_tensor(view(x), [4, 4])
    else:
        with pytest.raises(AssertionError, match="16-byte"):
            TensorDescriptor.from_tensor(view(x), [4, 4])


@pytest.mark.parametrize("padding, value", [("zero", 0.0), ("nan", float("nan"))])
@pytest.mark.parametrize("row", [-5, -1, 0, 2, 7])
@pytest.mark.parametrize("col", [-4, 0, 4, 8])
def test_peek_pads_on_all_sides(padding, value, row, col):
    x = normal(8, 12)[1:6, :6]
    wide = torch.full((20, 20), value, device=DEVICE)
    wide[8:13, 8:14] = x
    expected = wide[8 + row : 12 + row, 8 + col : 12 + col]
    assert torch.equal(peek(x, row, col, padding).nan_to_num(9.0), expected.nan_to_num(9.0))
