"""The kernels of chapter 2 against float64, on sizes and tensors that break careless kernels."""

import weakref

import pytest
import torch
import triton
from hypothesis import given, settings
from hypothesis import strategies as st

from ch02_parameterization.activation import fused_activation, fused_activation_kernel
from ch02_parameterization.activation_unknown import unchecked_activation_kernel
from ch02_parameterization.autotune_attempt import CONFIGS, add, autotuned_add
from ch02_parameterization.autotune_counting import pretend_bench
from ch02_parameterization.block_is_identity import block_prefix
from ch02_parameterization.constexpr_shape import DEVICE, MAX_N, check_vector, double
from ch02_parameterization.function_parameter import map_with, silu, squared_relu
from ch02_parameterization.kept_by_compiler import fill_kernel
from ch02_parameterization.scratch import run_with_scratch

BLOCK = 16
SIZES = [0, 1, BLOCK - 1, BLOCK, BLOCK + 1, 3 * BLOCK + 5]
DTYPES = [torch.float32, torch.float16, torch.bfloat16]
# A store may cut the digits off (the interpreter does, for bfloat16), so one eps and not half.
EPS = {torch.float32: 2.0**-23, torch.float16: 2.0**-10, torch.bfloat16: 2.0**-7}

ACTIVATIONS = {
    "none": lambda x: x,
    "relu": torch.relu,
    "gelu": torch.nn.functional.gelu,
}
FUNCTIONS = [
    (squared_relu, lambda x: torch.relu(x) ** 2),
    (silu, torch.nn.functional.silu),
]
WRAPPERS = {
    "double": lambda x: double(x, BLOCK),
    "block_prefix": lambda x: block_prefix(x, BLOCK),
    "add": lambda x: add(tuned(CONFIGS[:1]), x, x),
    "run_with_scratch": lambda x: run_with_scratch(x, block=BLOCK),
    "fused_activation": lambda x: fused_activation(x, "relu", block=BLOCK),
    "map_with": lambda x: map_with(silu, x, block=BLOCK),
}

shapes = st.lists(st.integers(0, 6), min_size=1, max_size=3)


def normal(*shape, seed=0, dtype=torch.float32):
    generator = torch.Generator().manual_seed(seed)
    return torch.randn(*shape, generator=generator).to(DEVICE, dtype)


def tuned(configs, **settings):
    """The addition of the chapter under an autotuner of its own."""
    return triton.autotune(configs=configs, key=["n"], **settings)(autotuned_add.fn)


def within(out, truth, slack=1.0):
    """Whether out lies within slack roundings of its dtype of the float64 truth."""
    error = (out.double().cpu() - truth.cpu()).abs()
    return (error <= slack * EPS[out.dtype] * truth.cpu().abs() + 1e-7).all()


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", SIZES)
def test_double_is_exact(n, dtype):
    x = normal(n, dtype=dtype)
    out = double(x, BLOCK)
    assert out.dtype == dtype and torch.equal(out.double(), 2 * x.double())


@settings(max_examples=15, deadline=None)
@given(shape=shapes, block=st.sampled_from([1, 2, 16, 64]), seed=st.integers(0, 99))
def test_double_takes_every_shape_and_block(shape, block, seed):
    x = normal(*shape, seed=seed)
    out = double(x, block)
    assert out.shape == x.shape and torch.equal(out.double(), 2 * x.double())


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", SIZES)
def test_add_against_float64(n, dtype):
    x, y = normal(n, seed=1, dtype=dtype), normal(n, seed=2, dtype=dtype)
    out = add(tuned(CONFIGS[:1]), x, y)
    assert out.dtype == dtype and within(out, x.double() + y.double())


def test_add_refuses_two_shapes_or_dtypes():
    x = normal(4)
    with pytest.raises(ValueError, match=r"\(4,\).*\(5,\)"):
        add(autotuned_add, x, normal(5))
    with pytest.raises(ValueError, match="float16"):
        add(autotuned_add, x, x.half())


def test_default_search_needs_a_driver():
    x = normal(4)
    with pytest.raises(RuntimeError, match="0 active drivers"):
        add(autotuned_add, x, x)


@settings(max_examples=10, deadline=None)
@given(sizes=st.lists(st.integers(1, 40), min_size=1, max_size=4))
def test_autotuner_tries_every_config_once_a_key(sizes):
    seen = []
    milliseconds = {64: 3.0, 128: 1.0, 256: 2.0}
    kernel = tuned(CONFIGS, do_bench=pretend_bench(seen, milliseconds))
    known = set()
    for n in sizes:
        seen.clear()
        x = normal(n, seed=n)
        assert torch.equal(add(kernel, x, x, seen), 2 * x)
        assert seen == ([] if n in known else [64, 128, 256]) + [128]
        known.add(n)
    assert len(kernel.cache) == len(known)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("n", SIZES)
def test_block_prefix_starts_again_at_every_block(n, dtype):
    x = normal(n, dtype=dtype)
    wide = x.double()
    truth = torch.cat([piece.cumsum(0) for piece in wide.split(BLOCK)])
    size = torch.cat([piece.abs().cumsum(0) for piece in wide.split(BLOCK)])
    error = (block_prefix(x, BLOCK).double() - truth).abs()
    sums = BLOCK * EPS[torch.float32] * size  # one rounding a step
    assert (error <= sums + EPS[dtype] * truth.abs() + 1e-7).all()


@settings(max_examples=10, deadline=None)
@given(n=st.integers(0, 70), block=st.sampled_from([1, 4, 32]), seed=st.integers(0, 99))
def test_run_with_scratch_against_float64(n, block, seed):
    x = normal(n, seed=seed)
    truth = 2 * x.double().sum()
    bound = (n + 1) * EPS[torch.float32] * 2 * x.double().abs().sum() + 1e-12
    assert (run_with_scratch(x, block=block).double() - truth).abs() <= bound


@pytest.mark.parametrize("dtype", [torch.float16, torch.bfloat16])
def test_run_with_scratch_adds_halves_in_float32(dtype):
    x = torch.full((300,), 10.0, device=DEVICE, dtype=dtype)
    total = run_with_scratch(x, block=BLOCK)
    assert total.dtype == torch.float32 and total.item() == 6000.0


def test_run_with_scratch_when_partial_sums_fill_more_than_one_block():
    """1100 partial sums: the second kernel turns its loop twice."""
    assert run_with_scratch(torch.ones(1100, device=DEVICE), block=1).item() == 2200.0


def test_lent_scratch_holds_the_partial_sums_and_nothing_more():
    x = torch.arange(10, dtype=torch.float32, device=DEVICE)
    lent = torch.full((5,), 7.0, device=DEVICE)
    assert run_with_scratch(x, lent, block=4).item() == 90.0
    assert lent.tolist() == [12.0, 44.0, 34.0, 7.0, 7.0]


def test_lent_scratch_dies_with_its_owner():
    lent = torch.empty(3, device=DEVICE)
    watch = weakref.ref(lent)
    run_with_scratch(torch.ones(10, device=DEVICE), lent, block=4)
    assert watch() is lent
    del lent
    assert watch() is None


@pytest.mark.parametrize("scratch", [torch.empty(2), torch.empty(3, dtype=torch.float16)])
def test_unfit_scratch_is_refused(scratch):
    with pytest.raises(ValueError, match="need 3 float32 of scratch"):
        run_with_scratch(torch.ones(10, device=DEVICE), scratch.to(DEVICE), block=4)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("n", SIZES)
def test_activation_against_float64(n, name, dtype):
    x = 3 * normal(n, dtype=dtype)
    out = fused_activation(x, name, block=BLOCK)
    truth = ACTIVATIONS[name](x.double())
    assert out.dtype == dtype and out.shape == x.shape
    # In gelu 1 + erf cancels, so float32 errors are relative to x.
    noise = 2 * EPS[torch.float32] * x.double().abs().cpu()
    error = (out.double().cpu() - truth.cpu()).abs()
    assert (error <= EPS[dtype] * truth.cpu().abs() + noise + 1e-7).all()


@pytest.mark.parametrize("name", ["softmax", "ReLU", "", None])
def test_unknown_activation_stops_before_anything_is_written(name):
    x = normal(5)
    out = torch.full_like(x, 7.0)
    with pytest.raises(Exception, match=f"no ACTIVATION {name}"):
        fused_activation_kernel[(1,)](x, out, 5, ACTIVATION=name, BLOCK=8)
    assert (out == 7.0).all()


def test_unchecked_activation_is_a_silent_copy():
    x = normal(5)
    out = torch.empty_like(x)
    unchecked_activation_kernel[(1,)](x, out, 5, ACTIVATION="softmax", BLOCK=8)
    assert torch.equal(out, x)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("function, oracle", FUNCTIONS)
def test_functions_as_parameters_against_float64(function, oracle, dtype):
    x = normal(3 * BLOCK + 5, dtype=dtype)
    out = map_with(function, x, block=BLOCK)
    assert out.dtype == dtype and within(out, oracle(x.double()), slack=4)


@pytest.mark.parametrize("n", SIZES)
def test_fill_stays_inside_n(n):
    buffer = torch.zeros(n + BLOCK, device=DEVICE)
    if n:
        fill_kernel[(triton.cdiv(n, BLOCK),)](buffer, n, BLOCK=BLOCK)
    assert (buffer[:n] == 1).all() and (buffer[n:] == 0).all()


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


def test_lengths_beyond_32_bit_offsets_are_refused():
    class Long:
        """A tensor of 2**30 + 1 elements, without its four gibibytes."""

        dtype, device = torch.float32, torch.device(DEVICE)
        numel = staticmethod(lambda: MAX_N + 1)
        is_contiguous = staticmethod(lambda: True)

    with pytest.raises(ValueError, match=f"n <= {MAX_N}, got {MAX_N + 1}"):
        check_vector(Long())


@pytest.mark.parametrize("name", [name for name in WRAPPERS if name != "run_with_scratch"])
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
