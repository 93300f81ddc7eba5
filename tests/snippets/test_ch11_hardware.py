"""The kernels of chapter 11 against NumPy's whole numbers and float64, on shapes that break careless tiles."""

import pytest
import torch
import triton.language as tl
from hypothesis import given, settings
from hypothesis import strategies as st

from ch11_hardware.matmul import DEVICE, matmul, matmul_kernel
from ch11_hardware.small_dot import tile_dot

TILE = (16, 16, 16)
SIZES = [1, 15, 16, 17, 37]


def whole(*shape, dtype=torch.float32, seed=0):
    """Small whole numbers: every dtype holds their products exactly, and tf32 does too."""
    generator = torch.Generator().manual_seed(seed)
    return torch.randint(-3, 4, shape, generator=generator).to(dtype).to(DEVICE)


def product(a, b):
    return a.cpu().long() @ b.cpu().long()


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.int8])
@pytest.mark.parametrize("m", SIZES)
def test_matmul_takes_every_size_and_dtype(m, dtype):
    for n in SIZES:
        for k in (1, 16, 33):
            a, b = whole(m, k, dtype=dtype), whole(k, n, dtype=dtype, seed=1)
            assert torch.equal(matmul(a, b, (16, 16, 32))[0].cpu().long(), product(a, b))


@settings(max_examples=25, deadline=None)
@given(st.integers(1, 40), st.integers(1, 40), st.integers(0, 70), st.sampled_from(["tf32", "tf32x3", "ieee"]))
def test_matmul_on_any_shape_with_b_either_way(m, n, k, precision):
    a, b = whole(m, k), whole(k, n, seed=1)
    assert torch.equal(matmul(a, b, TILE, precision)[0].cpu().long(), product(a, b))
    columns = b.T.contiguous().T
    assert torch.equal(matmul(a, columns, TILE, precision)[0].cpu().long(), product(a, b))


@pytest.mark.parametrize("shape", [(0, 3, 2), (3, 0, 2), (0, 0, 0)])
def test_matmul_of_nothing(shape):
    m, n, k = shape
    out, kernel = matmul(whole(m, k), whole(k, n))
    assert out.shape == (m, n) and kernel is None


def test_matmul_of_no_terms_is_zero():
    assert torch.equal(matmul(whole(5, 0), whole(0, 7))[0], torch.zeros(5, 7, device=DEVICE))


def test_matmul_leaves_alone_what_is_not_its_own():
    m, n, k = 17, 19, 5
    a, b = whole(m, k), whole(k, n, seed=1)
    memory = torch.full((m * n + 128,), 99.0, device=DEVICE)
    matmul_kernel[(2, 2)](
        a, b, memory[64:], m, n, k, n, 1,
        BLOCK_M=16, BLOCK_N=16, BLOCK_K=16, PRECISION="ieee", ACC=tl.float32,
    )
    assert torch.equal(memory[64 : 64 + m * n].view(m, n).cpu().long(), product(a, b))
    assert (memory[:64] == 99).all() and (memory[64 + m * n :] == 99).all()


def test_matmul_of_random_numbers_is_near_float64():
    generator = torch.Generator().manual_seed(2)
    a, b = torch.randn(70, 130, generator=generator), torch.randn(130, 50, generator=generator)
    out = matmul(a.to(DEVICE), b.to(DEVICE), precision="ieee")[0].cpu().double()
    # 130 terms: each sum is off by at most 130 roundings of the sum of magnitudes.
    bound = 130 * 2**-24 * (a.double().abs() @ b.double().abs())
    assert ((out - a.double() @ b.double()).abs() <= bound).all()


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 16), st.integers(0, 16), st.integers(0, 16), st.booleans())
def test_one_dot_pads_every_shape_that_fits(m, n, k, with_c):
    a, b = whole(m, k), whole(k, n, seed=1)
    c = whole(m, n, seed=2) if with_c else None
    expected = product(a, b) + (c.cpu().long() if with_c else 0)
    assert torch.equal(tile_dot(a, b, c).cpu().long(), expected)


def test_one_dot_takes_views():
    a, b, c = whole(4, 6), whole(5, 6, seed=1).T, whole(5, 4, seed=2).T
    assert torch.equal(tile_dot(a, b, c).cpu().long(), product(a, b) + c.cpu().long())


def test_wrappers_refuse_what_their_kernels_cannot_read():
    a, b = whole(4, 6), whole(6, 5)
    for multiply in (matmul, tile_dot):
        with pytest.raises(ValueError, match="cannot multiply"):
            multiply(a, a)
        with pytest.raises(ValueError, match="cannot multiply"):
            multiply(a[0], b)
        with pytest.raises(TypeError, match="need one dtype"):
            multiply(a, b.half())
        with pytest.raises(TypeError, match="need one dtype"):
            multiply(a.double(), b.double())
        with pytest.raises(ValueError, match="a must be contiguous"):
            multiply(whole(6, 4).T, b)
        with pytest.raises(ValueError, match="must be contiguous"):
            multiply(a, whole(6, 10)[:, ::2])
    with pytest.raises(ValueError, match="do not fit"):
        tile_dot(whole(17, 4), whole(4, 4))
    with pytest.raises(ValueError, match="c must be"):
        tile_dot(a, b, whole(4, 4))
