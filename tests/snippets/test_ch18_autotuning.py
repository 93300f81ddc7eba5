"""The searches of chapter 18 under the interpreter: what they call, what they keep, and that no config is wrong."""

import json
import math

import pytest
import torch
import triton
from hypothesis import given, settings
from hypothesis import strategies as st

from ch02_parameterization.autotune_attempt import autotuned_add
from ch13_matmul.grouped import grouped_kernel
from ch18_autotuning.bucketed import about, run_bucketed, sum_bucket_kernel
from ch18_autotuning.in_place import BLOCKS, add_to, tuned_add
from ch18_autotuning.matmul_space import MATMUL_SPACE, run_matmul, tuned_matmul
from ch18_autotuning.prune import estimated_cycles
from ch18_autotuning.sum_space import SUM_SPACE, compile_ahead, run_sum, sum_config, tuned_sum
from ch18_autotuning.table import DEFAULT, place, sum_by_table, tune

SMALL = [sum_config(1, 64, 4), sum_config(4, 64, 4), sum_config(16, 64, 4)]


def once(call, quantiles):
    call()
    return [1.0 for _ in quantiles]


def poisoned(shape, dtype=torch.float32):
    return torch.full(shape, float("nan"), dtype=dtype)


def whole(*shape, seed=0):
    return torch.randint(-3, 4, shape, generator=torch.Generator().manual_seed(seed))


@pytest.mark.parametrize("config", SUM_SPACE, ids=str)
def test_each_sum_config_alone_writes_every_row(config):
    """The test that 18.2 asks for: one config, an output full of NaN."""
    for rows, cols in ((1, 1), (3, 1025), (17, 5), (5, 0)):
        x = whole(rows, cols).float()
        out = poisoned((rows,))
        kernel = tuned_sum([config])
        grid = (triton.cdiv(rows, config.kwargs["ROWS"]),)
        kernel[grid](x, out, rows, cols, x.stride(0))
        assert torch.equal(out, x.sum(1))


@pytest.mark.parametrize("config", MATMUL_SPACE[::3], ids=str)
def test_each_matmul_config_alone_writes_every_tile(config):
    for m, n, k in ((1, 1, 1), (130, 70, 65)):
        a, b = whole(m, k).half(), whole(k, n, seed=1).half()
        out = poisoned((m, n), torch.float16)
        grid = (triton.cdiv(m, config.kwargs["BLOCK_M"]) * triton.cdiv(n, config.kwargs["BLOCK_N"]),)
        grouped_kernel[grid](a, b, out, m, n, k, *a.stride(), *b.stride(), **config.all_kwargs())
        assert torch.equal(out, (a.double() @ b.double()).half())


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 40), st.integers(0, 200), st.sampled_from([torch.float32, torch.float16, torch.bfloat16]), st.booleans())
def test_sums_are_right_at_any_size(rows, cols, dtype, view):
    wide = whole(rows, cols + 3).to(dtype)
    x = wide[:, 1 : cols + 1] if view else wide[:, :cols].contiguous()
    truth = x.double().sum(1).float()
    assert torch.equal(run_sum(tuned_sum(SMALL, do_bench=once), x), truth)
    kernel = triton.autotune(SMALL, key=["rows_about", "cols_about"], do_bench=once)(sum_bucket_kernel)
    assert torch.equal(run_bucketed(kernel, x), truth)
    assert torch.equal(sum_by_table({}, x), truth)


@pytest.mark.parametrize("n", [0, 1, 63, 64, 65, 256, 257])
@pytest.mark.parametrize("options", [{"restore_value": ["x_ptr"]}, {}], ids=["restored", "bare"])
def test_in_place_calls_act_as_often_as_the_page_says(n, options):
    kernel = tuned_add(**options)
    x, y = whole(n).float(), whole(n, seed=1).float()
    for calls in (1 if options else 5 * len(BLOCKS) + 1, 1):
        start = x.clone()
        add_to(kernel, x, y)
        assert torch.equal(x, start + calls * y)


def test_a_run_of_no_elements_does_not_search():
    kernel = tuned_matmul(do_bench=once)
    assert run_matmul(kernel, torch.zeros(0, 4).half(), torch.zeros(4, 5).half()).shape == (0, 5)
    assert not kernel.cache


@given(st.integers(0, 2**31))
def test_about_is_a_power_of_four_that_holds_the_size(size):
    found = about(size)
    assert found >= size and (found == 1 or found // 4 < size)
    assert 4 ** round(math.log(found, 4)) == found


def test_rounded_keys_do_not_search_for_each_size():
    kernel = triton.autotune(SMALL, key=["rows_about", "cols_about"], do_bench=once)(sum_bucket_kernel)
    for cols in range(65, 75):
        run_bucketed(kernel, torch.ones(5, cols))
    assert len(kernel.cache) == 1


@given(st.integers(1, 5000), st.integers(1, 5000), st.integers(1, 5000), st.sampled_from(MATMUL_SPACE))
def test_the_model_takes_every_config_and_grows_with_the_work(m, n, k, config):
    cycles = estimated_cycles(M=m, N=n, K=k, **config.all_kwargs())
    assert 0 < cycles <= estimated_cycles(M=2 * m, N=n, K=k, **config.all_kwargs())
    assert cycles <= estimated_cycles(M=m, N=n, K=2 * k, **config.all_kwargs())


def test_a_table_survives_its_file_and_is_obeyed():
    table, x = {}, torch.ones(6, 90)
    tune(table, x, SMALL, do_bench=once)
    again = json.loads(json.dumps(table))
    assert again[place(x)] == SMALL[0].all_kwargs()
    assert place(torch.ones(6, 900)) not in again
    assert DEFAULT["ROWS"] * DEFAULT["COLS"] == 4096
    assert torch.equal(sum_by_table(again, x), x.sum(1))


def test_compiling_ahead_launches_nothing():
    class Pool:
        map = staticmethod(map)

    kernel, out = tuned_sum(SMALL), poisoned((3,))
    compile_ahead(kernel, Pool, torch.ones(3, 5), out, 3, 5, 5)
    assert bool(out.isnan().all()) and not kernel.cache


def test_a_misspelt_key_is_silent():
    kernel = triton.autotune(BLOCKS, key=["m"], do_bench=once)(autotuned_add.fn)
    for n in (10, 20):
        add_to(kernel, torch.ones(n), torch.ones(n))
    assert len(kernel.cache) == 1


def test_wrappers_refuse_what_they_cannot_take():
    kernel = tuned_sum(SMALL, do_bench=once)
    with pytest.raises(TypeError):
        run_sum(kernel, torch.ones(3, 5).int())
    with pytest.raises(ValueError):
        run_sum(kernel, torch.ones(5, 3).T)
    with pytest.raises(ValueError):
        sum_by_table({}, torch.ones(5))
