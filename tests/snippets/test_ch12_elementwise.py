"""The kernels of chapter 12 against float64, on sizes and values that break careless kernels."""

import math
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from ch12_elementwise.fma_relu import DEVICE, fused_fma_relu
from ch12_elementwise.gelu_exact import gelu_exact
from ch12_elementwise.gelu_tanh import gelu_tanh
from ch12_elementwise.gelu_truth import gelu_float64
from ch12_elementwise.three_kernels import chained_fma_relu

EPS = 2.0**-23
BLOCK = 16
SIZES = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 3]
HALVES = [torch.float16, torch.bfloat16]
GELUS = [gelu_exact, gelu_tanh]
FMAS = [fused_fma_relu, chained_fma_relu]

floats = st.floats(-1e6, 1e6, width=32)
shapes = st.lists(st.integers(0, 7), min_size=0, max_size=3)


def normal(*shape, seed=0):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).to(DEVICE)


def tanh_float64(x):
    """The tanh form of GELU in float64, as x * sigmoid(2z), which does not cancel."""
    wide = x.double().cpu()
    z = math.sqrt(2.0 / math.pi) * (wide + 0.044715 * wide**3)
    return wide * torch.sigmoid(2.0 * z)


def truth_of(gelu, x):
    return gelu_float64(x.reshape(-1)).reshape(x.shape) if gelu is gelu_exact else tanh_float64(x)


def fma_relu_float64(x, a, b):
    """relu(a * x + b) in float64, with a and b as the float32 numbers that the kernel gets."""
    a, b = torch.tensor([a, b], dtype=torch.float32).tolist()
    return torch.relu(a * x.double().cpu() + b)


def fma_relu_tolerance(x, a, b):
    """Two roundings: half an eps of the product, half an eps of the sum."""
    return EPS * (abs(a) * x.double().cpu().abs() + abs(b)) + 1e-44


@pytest.mark.parametrize("fn", FMAS)
@pytest.mark.parametrize("n", SIZES)
def test_fma_relu_covers_every_size(fn, n):
    x = normal(n)
    out = fn(x, 1.1, -0.3, block=BLOCK)
    assert out.shape == x.shape and out.dtype == x.dtype
    error = (out.double().cpu() - fma_relu_float64(x, 1.1, -0.3)).abs()
    assert (error <= fma_relu_tolerance(x, 1.1, -0.3)).all()


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
@settings(max_examples=25, deadline=None)
@given(shape=shapes, a=floats, b=floats, seed=st.integers(0, 99))
def test_fma_relu_on_random_shapes_and_numbers(shape, a, b, seed):
    x = normal(*shape, seed=seed) if shape else normal(1, seed=seed).reshape(())
    out = fused_fma_relu(x, a, b, block=BLOCK)
    assert out.shape == x.shape
    error = (out.double().cpu() - fma_relu_float64(x, a, b)).abs()
    assert (error <= fma_relu_tolerance(x, a, b)).all()


@pytest.mark.parametrize("fn", FMAS)
def test_fma_relu_writes_nothing_beyond_its_output(fn, monkeypatch):
    """The outputs lie in a larger buffer; what surrounds them must stay as it was."""
    buffers = []

    def empty_inside_a_buffer(x):
        buffers.append(torch.full((x.numel() + 2 * BLOCK,), 7.0, device=DEVICE))
        return buffers[-1][BLOCK : BLOCK + x.numel()]

    monkeypatch.setattr(torch, "empty_like", empty_inside_a_buffer)
    x = normal(BLOCK + 5)
    fn(x, 2.0, -1.0, block=BLOCK)
    for buffer in buffers:
        assert (buffer[:BLOCK] == 7.0).all() and (buffer[-BLOCK:] == 7.0).all()


def test_fma_relu_leaves_its_input_alone():
    x = normal(40)
    before = x.clone()
    fused_fma_relu(x, 2.0, 1.0, block=BLOCK)
    assert torch.equal(x, before)


@pytest.mark.parametrize("fn", FMAS)
def test_fma_relu_keeps_nan_and_infinity(fn):
    x = torch.tensor([math.nan, math.inf, -math.inf, -0.0, 0.0], device=DEVICE)
    assert torch.equal(fn(x, 1.0, 0.0).isnan(), x.isnan())
    assert fn(x, 1.0, 0.0)[1:].tolist() == [math.inf, 0.0, 0.0, 0.0]
    assert fn(x, -1.0, 0.0)[1:3].tolist() == [0.0, math.inf]


@pytest.mark.parametrize("fn", FMAS)
def test_fma_relu_takes_integers_as_numbers(fn):
    x = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0], device=DEVICE)
    assert fn(x, 2, -1).tolist() == [0.0, 0.0, 0.0, 1.0, 3.0]
    assert fn(x, 1, 0).tolist() == [0.0, 0.0, 0.0, 1.0, 2.0]


@pytest.mark.parametrize("fn", [lambda x: fused_fma_relu(x, 1.0, 0.0), lambda x: chained_fma_relu(x, 1.0, 0.0), *GELUS])
def test_wrappers_refuse_what_the_kernel_cannot_read(fn):
    with pytest.raises(ValueError, match=r"shape \(3, 2\), strides \(1, 3\)"):
        fn(normal(2, 3).T)
    with pytest.raises(ValueError, match="contiguous"):
        fn(normal(1, 3).expand(2, 3))
    with pytest.raises(ValueError, match="contiguous"):
        fn(normal(8)[::2])
    with pytest.raises(TypeError, match="float64, wanted torch.float32"):
        fn(normal(4).double())
    with pytest.raises(TypeError, match="int64"):
        fn(torch.arange(4, device=DEVICE))
    with pytest.raises(ValueError, match="meta"):
        fn(torch.empty(4, device="meta"))


@pytest.mark.parametrize("dtype", HALVES)
def test_fma_relu_claims_float32_only(dtype):
    with pytest.raises(TypeError, match="wanted torch.float32"):
        fused_fma_relu(normal(4).to(dtype), 1.0, 0.0)


def test_a_contiguous_slice_is_read_from_its_own_start():
    x = normal(64)[16:40]
    assert torch.equal(gelu_exact(x, block=BLOCK), gelu_exact(x.clone(), block=BLOCK))


@pytest.mark.parametrize("gelu", GELUS)
@pytest.mark.parametrize("n", SIZES)
def test_gelu_covers_every_size(gelu, n):
    x = 3.0 * normal(n)
    out = gelu(x, block=BLOCK)
    assert out.shape == x.shape and out.dtype == x.dtype
    error = (out.double().cpu() - truth_of(gelu, x)).abs()
    assert (error <= 4.0 * EPS * x.double().cpu().abs() + 1e-44).all()


def test_exact_gelu_stays_within_the_derived_budget():
    x = torch.linspace(-10.0, 10.0, 20001, device=DEVICE)
    error = (gelu_exact(x).double().cpu() - gelu_float64(x)).abs()
    assert (error <= 1.5 * EPS * x.double().cpu().abs() + 1e-44).all()


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
@settings(max_examples=25, deadline=None)
@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), max_size=40))
def test_gelu_on_any_finite_numbers(values):
    x = torch.tensor(values, dtype=torch.float32, device=DEVICE)
    for gelu in GELUS:
        error = (gelu(x, block=BLOCK).double().cpu() - truth_of(gelu, x)).abs()
        assert (error <= 4.0 * EPS * x.double().cpu().abs() + 1e-44).all()


@pytest.mark.parametrize("gelu", GELUS)
@pytest.mark.parametrize("dtype", HALVES)
def test_gelu_computes_halves_in_float32(gelu, dtype):
    x = torch.linspace(-2.0, 4.0, 501).to(dtype).to(DEVICE)
    out = gelu(x, block=128)
    assert out.dtype == dtype
    truth = truth_of(gelu, x)
    # half an eps where the store rounds to nearest; one where the interpreter cuts
    bound = 1.01 * torch.finfo(dtype).eps * truth.abs() + 1e-7
    assert ((out.double().cpu() - truth).abs() <= bound).all()


@pytest.mark.parametrize("gelu", GELUS)
@pytest.mark.parametrize("dtype", [torch.float32, *HALVES])
@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
def test_gelu_at_the_edges(gelu, dtype):
    x = torch.tensor([math.nan, math.inf, -math.inf, 1e4, -1e4, 0.0], device=DEVICE)
    out = gelu(x.to(dtype))
    assert out[0].isnan()
    assert out[1] == math.inf
    assert out[2].isnan()  # -inf * 0, as on the page; the limit is 0
    assert out[3] == x[3].to(dtype)
    assert out[4] == 0.0 and out[5] == 0.0


def test_the_two_gelus_differ_by_their_formulas():
    x = torch.linspace(-4.0, 4.0, 801, device=DEVICE)
    gap = (gelu_exact(x) - gelu_tanh(x)).abs().max().item()
    assert 4e-4 < gap < 5e-4


def test_the_block_does_not_change_a_result():
    x = normal(100)
    for fn in (gelu_exact, gelu_tanh, lambda x, block: fused_fma_relu(x, 1.1, -0.3, block)):
        assert torch.equal(fn(x, block=8), fn(x, block=128))


COMPILE = """
import triton
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource
from ch12_elementwise.fma_relu import fma_relu_kernel
types = dict(x_ptr="*fp32", out_ptr="*fp32", a="fp32", b="fp32", n="i32", BLOCK="constexpr")
aligned = {(i,): [["tt.divisibility", 16]] for i in (0, 1, 4)}
source = ASTSource(fma_relu_kernel, types, {"BLOCK": 1024}, aligned)
print(triton.compile(source, target=GPUTarget("cuda", 90, 32)).asm["ptx"])
"""


def test_fma_relu_compiled_for_a_gpu_that_is_not_here(tmp_path):
    """What the interpreter cannot show: one rounding, a maximum that keeps NaN, one pass."""
    paths = {"PYTHONPATH": str(Path(__file__).parents[2] / "snippets"), "TRITON_CACHE_DIR": str(tmp_path)}
    environment = {**os.environ, **paths, "TRITON_INTERPRET": "0", "CUDA_VISIBLE_DEVICES": ""}
    done = subprocess.run([sys.executable, "-c", COMPILE], env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    ptx = done.stdout
    assert ptx.count("fma.rn.f32") == 8  # 1024 elements, 128 threads
    assert ptx.count("mul.wide.u32") == 1  # where the program begins, in 64 bits
    assert ptx.count("max.NaN.f32") == 8 and "max.f32" not in ptx
    assert ptx.count("ld.global.v4.b32") == ptx.count("ld.global") == 2
    assert ptx.count("st.global.v4.b32") == ptx.count("st.global") == 2
