"""The searches of chapter 18 under the interpreter: what they call, what they keep, and that no config is wrong."""

import json
import math
from types import SimpleNamespace

import pytest
import torch
import triton
from hypothesis import given, settings
from hypothesis import strategies as st

from ch02_parameterization.autotune_attempt import autotuned_add
from ch13_matmul.grouped import grouped_kernel
from ch18_autotuning import prune, table
from ch18_autotuning.bucketed import about, run_bucketed, sum_bucket_kernel
from ch18_autotuning.in_place import BLOCKS, add_to, tuned_add
from ch18_autotuning.matmul_space import MATMUL_SPACE, run_matmul, tuned_matmul
from ch18_autotuning.prune import drop_by_facts, estimated_cycles
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
        truth = (a.double() @ b.double()).half()
        assert torch.equal(out, truth)
        assert torch.equal(run_matmul(tuned_matmul([config]), a, b), truth)


@pytest.mark.parametrize("config", SMALL, ids=str)
@pytest.mark.parametrize("rows", [1, 15, 16, 17])
def test_wrappers_launch_enough_programs_for_each_config(config, rows):
    x = whole(rows, 70).float()
    truth = x.sum(1)
    assert torch.equal(run_sum(tuned_sum([config]), x), truth)
    assert torch.equal(run_bucketed(triton.autotune([config], key=[])(sum_bucket_kernel), x), truth)
    assert torch.equal(sum_by_table({place(x): config.all_kwargs()}, x), truth)


def test_the_spaces_hold_what_the_page_lists():
    sums = {(c.kwargs["ROWS"], c.kwargs["ROWS"] * c.kwargs["COLS"], c.num_warps) for c in SUM_SPACE}
    assert sums == {(r, t, w) for r in (1, 4, 16) for t in (1024, 4096, 16384) for w in (4, 16)}
    tiles = {(*list(c.kwargs.values())[:3], c.num_warps, c.num_stages) for c in MATMUL_SPACE}
    assert len(tiles) == len(MATMUL_SPACE) == 18
    assert {t[4] for t in tiles} == {3, 4, 5}
    assert {t[3] for t in tiles if t[:3] == (128, 256, 64)} == {4, 8}


@settings(max_examples=8, deadline=None)
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


def test_the_model_by_hand():
    """Waves times steps times the longer of multiplying and fetching."""
    rest = {"M": 4096, "N": 4096, "K": 4096, "num_warps": 8, "num_stages": 3}
    assert estimated_cycles(BLOCK_M=128, BLOCK_N=256, BLOCK_K=64, **rest) == 4 * (64 + 3) * 1024
    assert estimated_cycles(BLOCK_M=16, BLOCK_N=64, BLOCK_K=128, **rest) == 125 * (32 + 3) * 320


def test_facts_drop_what_does_not_fit_and_what_spills(monkeypatch):
    facts = {"fits": (232_448, 255, 0), "too large": (232_449, 10, 0), "spills": (10, 255, 4)}
    monkeypatch.setattr(prune, "facts_of", lambda config, named: facts[config])
    assert drop_by_facts(list(facts), {}) == ["fits"]


def times_in_turn(*times):
    left = iter(times)

    def bench(call, quantiles):
        call()
        ms = next(left)
        return [ms for _ in quantiles]

    return bench


def test_the_table_gets_the_winner():
    found, x = {}, torch.ones(6, 90)
    tune(found, x, SMALL, do_bench=times_in_turn(3.0, 1.0, 2.0))
    assert found == {place(x): SMALL[1].all_kwargs()}


def test_the_table_decides_and_else_the_default(monkeypatch):
    launched = []

    class Kernel:
        def __getitem__(self, grid):
            return lambda *args, **config: launched.append((grid, config))

    monkeypatch.setattr(table, "sum_rows_kernel", Kernel())
    x = torch.ones(17, 90)
    sum_by_table({place(x): SMALL[2].all_kwargs()}, x)
    sum_by_table({}, x)
    assert launched == [((2,), SMALL[2].all_kwargs()), ((17,), DEFAULT)]


def test_a_place_tells_dtypes_sizes_and_devices_apart(monkeypatch):
    x = torch.ones(6, 90)
    places = {place(x), place(x.half()), place(torch.ones(6, 900)), place(torch.ones(60, 90))}
    monkeypatch.setattr(table, "device_name", lambda x: "another")
    assert len(places | {place(x)}) == 5
    assert place(x) == place(torch.ones(7, 100))


@pytest.mark.parametrize("shape", [(6, 90), (90, 6)])
def test_rounded_keys_hold_rows_and_columns_in_their_places(shape):
    kernel = triton.autotune(SMALL, key=["rows_about", "cols_about"], do_bench=once)(sum_bucket_kernel)
    run_bucketed(kernel, torch.ones(shape))
    assert list(kernel.cache)[0][:2] == tuple(map(about, shape))


def test_each_size_has_a_search_of_its_own():
    sums = tuned_sum(SMALL, do_bench=once)
    for shape in ((3, 5), (3, 6), (4, 5), (3, 5)):
        run_sum(sums, torch.ones(shape))
    product = tuned_matmul(MATMUL_SPACE[-2:], do_bench=once)
    for m, n, k in ((1, 1, 1), (2, 1, 1), (1, 2, 1), (1, 1, 2), (1, 1, 1)):
        run_matmul(product, torch.ones(m, k).half(), torch.ones(k, n).half())
    added = tuned_add()
    for n in (3, 4, 3):
        add_to(added, torch.ones(n), torch.ones(n))
    assert [len(kernel.cache) for kernel in (sums, product, added)] == [3, 4, 2]


def test_a_table_survives_its_file_and_is_obeyed():
    found, x = {}, torch.ones(6, 90)
    tune(found, x, SMALL, do_bench=once)
    again = json.loads(json.dumps(found))
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


def test_compiling_ahead_takes_every_config():
    compiled = []
    fn = SimpleNamespace(warmup=lambda *args, **options: compiled.append((args, options)))
    compile_ahead(SimpleNamespace(fn=fn, configs=SMALL), SimpleNamespace(map=map), 1, 2)
    assert compiled == [((1, 2), {"grid": (1,)} | config.all_kwargs()) for config in SMALL]


def test_one_config_is_no_search_and_resets_nothing():
    kernel = tuned_add(BLOCKS[:1], reset_to_zero=["x_ptr"])
    x = torch.ones(5)
    add_to(kernel, x, torch.ones(5))
    assert torch.equal(x, torch.full((5,), 2.0)) and not kernel.cache


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
