"""Every right kernel of the book is a point under the roof of 19.4, or is left out for a reason that stands here."""

import ast
import re
from fnmatch import fnmatchcase
from pathlib import Path

import numpy as np
import pytest
import torch
from ch19_benchmarking import roofline, roofline_elements, roofline_products, roofline_rows, roofline_sums
from triton.runtime.interpreter import interpreter_builder

from executed.discover import discover, jitted, parse

ROOT = Path(__file__).resolve().parents[2]
BOOK = discover(ROOT)
PROGRAMS = [name for name in BOOK.snippets if name.startswith("ch19_benchmarking/roofline")]
POINT = re.compile(r'"(ch\d\d)\.(\w+)"')

LEFT_OUT = {
    "a trap: it computes something wrong, or would": [
        "ch01_model/relay.relay_kernel", "ch01_model/times_mask.two_relus_kernel",
        "ch02_parameterization/block_is_identity.block_prefix_kernel", "ch02_parameterization/config_typo.defaulted_kernel",
        "ch03_layout/false_hint.promised_copy_kernel", "ch03_layout/misaligned.aligned_copy_kernel",
        "ch04_pointers/byte_strides.take_kernel", "ch04_pointers/overflow_gpu.*", "ch05_grids/chained.*",
        "ch05_grids/mask_and.even_and_kernel", "ch05_grids/mask_and.ends_or_kernel", "ch05_grids/mask_and.all_not_kernel",
        "ch05_grids/unmasked.careless_double_kernel", "ch06_contract/one_address.flat_scale_kernel",
        "ch07_numerics/float_argument.times_kernel", "ch07_numerics/half_sum.half_sum_kernel",
        "ch07_numerics/square_difference.square_difference_kernel", "ch07_numerics/stall.running_sum_kernel",
        "ch07_numerics/to_int.to_int_kernel", "ch07_numerics/where_gradient.root_backward_kernel",
        "ch08_allocation/lower.lower_kernel", "ch08_allocation/zeroed_once.add_up_kernel",
        "ch12_elementwise/nan_relu.three_relus_kernel", "ch12_elementwise/tanh_forms.tanh_kernel",
        "ch13_matmul/alias.previous_kernel", "ch13_matmul/bias_inside.early_bias_kernel",
        "ch13_matmul/clipped.count_visits_kernel", "ch13_matmul/k_tail.tail_kernel", "ch13_matmul/squares.confused_kernel",
        "ch13_matmul/wrong_step.visit_kernel", "ch14_reductions/careless.careless_kernel",
        "ch14_reductions/empty_merge.mean_kernel", "ch14_reductions/integer_sum.integer_sum_kernel",
        "ch14_reductions/last_one.last_one_kernel", "ch14_reductions/neutral.padded_kernel",
        "ch14_reductions/one_launch.one_launch_kernel", "ch15_softmax/no_shift.plain_softmax_kernel",
        "ch15_softmax/variance_forms.variance_forms_kernel", "ch16_attention/tail_gradient.row_gradient_kernel",
        "ch17_atomics/flag.wait_kernel", "ch17_atomics/half_sum.add_ones_kernel", "ch17_atomics/lost_*",
        "ch17_atomics/unmasked_bins.bins_kernel", "ch20_fused/torn_pairs.torn_rope_kernel",
    ],
    "one block, or a handful of numbers: it shows values, an order, an address": [
        "ch01_model/arena.count_up_kernel", "ch01_model/tickets.ticket_kernel",
        "ch02_parameterization/kept_by_compiler.fill_kernel", "ch02_parameterization/named_tuple.double_kernel",
        "ch02_parameterization/one_program_gpu.where_kernel", "ch04_pointers/descriptor_edges.peek_kernel",
        "ch04_pointers/int64_annotation.declared_kernel", "ch04_pointers/row_offset.row_offset_kernel",
        "ch04_pointers/step.step_kernel", "ch04_pointers/tile_copy.offsets_kernel", "ch05_grids/grid_limits.count_kernel",
        "ch05_grids/order.ticket_kernel", "ch05_grids/swizzle.visit_kernel", "ch07_numerics/bf16_patterns.bf16_kernel",
        "ch07_numerics/promotion.*", "ch07_numerics/special_values.special_kernel", "ch07_numerics/subnormals.tiny_kernel",
        "ch08_allocation/barrier.one_block_kernel", "ch09_debugging/*", "ch10_host/warm_launch.*",
        "ch11_hardware/small_dot.tile_dot_kernel", "ch12_elementwise/narrow_offsets.starts_kernel",
        "ch13_matmul/specialize_hint.hinted_kernel", "ch14_reductions/ties.ties_kernel",
        "ch14_reductions/tile_sums.tile_sums_kernel", "ch15_softmax/online_pair.online_pair_kernel",
        "ch17_atomics/locks_gpu.meet_kernel", "ch17_atomics/memory_order.order_kernel",
    ],
    "another kernel calls it, or its launch is a part of one that is timed": [
        "ch02_parameterization/scratch.total_kernel", "ch05_grids/swizzle.double_tile",
        "ch08_allocation/compact.count_kernel", "ch13_matmul/persistent.store_parts", "ch13_matmul/specialized.*", "ch15_softmax/norm_backward.totals_kernel", "ch15_softmax/wide_rows.norm_means_kernel",
        "ch16_attention/backward.*", "ch16_attention/gluon_forward.*", "ch17_atomics/split_k.sum_parts_kernel",
        "ch20_fused/int4_matmul.add_parts_kernel",
    ],
    "its program is a straight line, searches, or speaks while it compiles; a point that does the same stands for it": [
        "ch01_model/first_run.add_one_kernel", "ch02_parameterization/autotune_attempt.autotuned_add",
        "ch02_parameterization/constexpr_shape.shape_kernel",
        "ch04_pointers/wide_offsets.copy_kernel", "ch05_grids/order_timing.double_2d_kernel",
        "ch07_numerics/libdevice_exp.libdevice_exp_kernel", "ch12_elementwise/fusion_limit.steps_kernel",
        "ch12_elementwise/sigmoid_form.gelu_sigmoid_kernel", "ch15_softmax/variants.softmax_loop_kernel",
        "ch18_autotuning/asserted.*", "ch18_autotuning/bucketed.sum_bucket_kernel",
    ],
}


def points() -> set[tuple[str, str]]:
    """Chapter and name of every kernel that a program of 19.4 times."""
    return {match for name in PROGRAMS for match in POINT.findall(BOOK.snippets[name].text)}


def others() -> list[tuple[str, bool]]:
    """Every kernel that is no point, and whether its snippet says that a compiler rejects something in it."""
    known = points()
    return [
        (f"{snippet.name}.{kernel}", bool(snippet.settings.rejects))
        for snippet in BOOK.snippets.values() for kernel in sorted({node.name for node in jitted(snippet)} - helpers(snippet))
        if (snippet.chapter.partition("_")[0], kernel) not in known
    ]


def helpers(snippet) -> set[str]:
    """Kernels that return something: only other kernels can call them."""
    if not snippet.is_python:
        return set()
    return {
        node.name for node in parse(snippet).body if isinstance(node, ast.FunctionDef)
        and any(isinstance(inner, ast.Return) and inner.value for inner in ast.walk(node))
    }


def reasons(kernel: str) -> list[str]:
    return [reason for reason, names in LEFT_OUT.items() if any(fnmatchcase(kernel, name) for name in names)]


def test_every_kernel_is_a_point_or_left_out_for_a_reason():
    silent = [kernel for kernel, rejected in others() if not rejected and not reasons(kernel)]
    assert silent == [], "time them in a roofline program, or say here why not"


def test_no_reason_is_left_over():
    left = [kernel for kernel, _ in others()]
    unused = [name for names in LEFT_OUT.values() for name in names if not any(fnmatchcase(k, name) for k in left)]
    assert unused == []


def test_every_point_is_a_kernel_that_its_program_holds():
    for name in PROGRAMS:
        parts = (BOOK.snippets[name], *BOOK.closure(BOOK.snippets[name]))
        held = {(part.chapter.partition("_")[0], kernel.name) for part in parts for kernel in jitted(part)}
        assert set(POINT.findall(BOOK.snippets[name].text)) <= held, name


MEASURED = re.compile(r"(ch\d\d)\.(\w+): ([\d.]+) of its roof")


def measured() -> dict[tuple[str, str], float]:
    """Chapter and name of every kernel that was timed under the roof, and how much of it the kernel reached."""
    captures = [(ROOT / "snippets" / f"{name}.gpu.txt").read_text() for name in PROGRAMS]
    return {(chapter, kernel): float(part) for text in captures for chapter, kernel, part in MEASURED.findall(text)}


def test_every_point_was_measured():
    assert measured().keys() == points()


LINE = re.compile(r"(ch\d\d\.\w+): ([\d.]+) of its roof, operations/byte ([\d.]+), TOP/s ([\d.]+)")
CEILINGS = re.compile(r"copy TB/s: ([\d.]+)\nfloat32 TOP/s: ([\d.]+)\nbfloat16 TOP/s: ([\d.]+)")


@pytest.fixture
def measured_cases(monkeypatch):
    """The cases at the sizes that were measured, on tensors that have a shape and no memory."""
    for program in (roofline_elements, roofline_products, roofline_rows, roofline_sums):
        monkeypatch.setattr(program, "DEVICE", "meta")
    for name, fake in {
        "layer_norm": lambda *_: (None, None, None), "softmax_rows": lambda x: x, "attention_forward": lambda q, *_: (q, None),
        "add_rms_norm": lambda x, *_: (x, x, None), "rope_table": lambda *_: (None, None),
        # Eight weights of 4 bits to a word of 32, a scale of 16 bits for each 128 weights.
        "quantize": lambda w: (w.new_empty(w.numel() // 8, dtype=torch.int32), w.new_empty(w.numel() // 128)),
    }.items():
        monkeypatch.setattr(roofline_rows, name, fake)
    return [
        *roofline_elements.moves(2**27), *roofline_elements.numbers(2**27), *roofline_sums.cases(2**27),
        *roofline_products.cases(8192, 1024, 2**21), *roofline_rows.rows_of(2**27, 8192),
        *roofline_rows.attention_of(4, 16, 4096, 128), *roofline_rows.fused(2**27, 8192, 28672),
    ]


def test_every_point_stands_where_its_formula_puts_it(measured_cases):
    lines = {}
    for program in PROGRAMS:
        text = (ROOT / "snippets" / f"{program}.gpu.txt").read_text()
        for name, part, intensity, rate in LINE.findall(text):
            lines[name] = (float(part), intensity, float(rate), [float(top) for top in CEILINGS.search(text).groups()])
    for name, operations, size, tensor_cores, _ in measured_cases:
        part, intensity, rate, (copy, float32, bfloat16) = lines.pop(name)
        assert f"{operations / size:.4g}" == intensity, name
        ceiling = min(copy * operations / size, bfloat16 if tensor_cores else float32)
        assert part == pytest.approx(rate / ceiling, rel=2e-3, abs=6e-4), name
    assert not lines


def test_the_page_explains_every_kernel_below_half_of_its_roof():
    page = (ROOT / "docs" / "19-benchmarking.md").read_text()
    rows = [line for line in page.splitlines() if re.match(r"\| .* \| `ch\d\d\.", line)]
    explained = [pair for row in rows for pair in re.findall(r"`(ch\d\d)\.(\w+)`", row)]
    assert sorted(explained) == sorted(kernel for kernel, part in measured().items() if part < 0.5)


def test_the_picture_draws_every_group_of_points():
    page = (ROOT / "docs" / "19-benchmarking.md").read_text()
    whole = next(line for line in page.splitlines() if 'title="Every right kernel' in line)
    for name in PROGRAMS:
        text = (ROOT / "snippets" / f"{name}.gpu.txt").read_text()
        for section in re.findall(r"== (.+) ==\n(?=ch\d\d\.)", text):
            assert f"{section} | ch*]" in whole, section


def test_formulas_are_positive_and_labels_are_single(cases):
    names = [case[0] for case in cases]
    assert len(set(names)) == len(names)
    assert {tuple(name.split(".")) for name in names} == points()
    assert all(operations > 0 and size > 0 for _, operations, size, _, _ in cases)


@pytest.fixture(scope="module")
def cases():
    """The cases of all programs, at sizes that the interpreter can bear."""
    torch.manual_seed(0)
    return [
        *roofline_elements.moves(2**13), *roofline_elements.numbers(2**13), *roofline_sums.cases(2**15),
        *roofline_rows.rows_of(2**13, 64), *roofline_rows.attention_of(1, 1, 64, 16),
        *roofline_products.cases(32, 16, 256), *roofline_rows.fused(2**13, 128, 32),
    ]


NEEDS_A_GPU = {"ch13.specialized_kernel", "ch16.gluon_kernel", "ch20.int4_kernel"}
SLOW = {  # Tested by their chapters, and below.
    "ch13.element_kernel", "ch14.argmax_rows_kernel", "ch14.logsumexp_rows_kernel", "ch14.recurrence_kernel",
    "ch14.welford_rows_kernel", "ch16.online_kernel", "ch19.fma_chain_kernel",
}
NAMES = {f"{chapter}.{kernel}" for chapter, kernel in points()}


MORE = {  # Bytes touched over bytes counted, at the small sizes of this test; where they are measured all are near 1.
    "ch01.cut_down_kernel": 2.0,  # the first call cuts; later ones only read
    "ch07.dot_rows_kernel": 1.5, "ch09.gated_norm_kernel": 1.17,  # the weights of two rows
    "ch08.column_sums_kernel": 1.5, "ch14.sum_columns_kernel": 1.5,  # sums are as wide as a row
    "ch15.norm_backward_kernel": 1.11, "ch15.norm_tiles_kernel": 1.37, "ch20.add_rms_norm_backward_kernel": 1.07,
    "ch17.add_rows_kernel": 3.0,  # one row, and the sum, read and written
    "ch17.count_each_kernel": 1.49,  # 1024 copies of the counts
    "ch17.split_kernel": 3.13,  # partial products
    "ch20.rope_kernel": 2.0,  # the table of sines, for one head
}


class Touched:
    """Which bytes a launch reads and writes, each counted once for either."""

    def __init__(self, monkeypatch):
        self.seen = []
        for name, kinds in (("masked_load", "r"), ("masked_store", "w"), ("atomic_rmw", "rw")):
            self.watch(monkeypatch, f"create_{name}", kinds)

    def watch(self, monkeypatch, name, kinds):
        real = getattr(interpreter_builder, name)
        place = ("op", "ptr", "val", "mask") if "atomic" in name else ("ptr", "mask") if "load" in name else ("ptr", "value", "mask")

        def watching(*args, **options):
            given = dict(zip(place, args))
            mask = getattr(given["mask"], "handle", given["mask"])
            mask = mask if isinstance(mask, np.ndarray) else mask.data
            addresses = given["ptr"].data[np.broadcast_to(mask.astype(bool), given["ptr"].data.shape)]
            size = given["ptr"].get_element_ty().primitive_bitwidth // 8
            self.seen += [(kind, size, addresses) for kind in kinds]
            return real(*args, **options)

        monkeypatch.setattr(interpreter_builder, name, watching)

    def bytes(self):
        groups = {(kind, size) for kind, size, _ in self.seen}
        return sum(
            size * len(np.unique(np.concatenate([a for k, s, a in self.seen if (k, s) == (kind, size)]))) for kind, size in groups
        )


@pytest.mark.filterwarnings("ignore:.*:RuntimeWarning")
@pytest.mark.parametrize("name", sorted(NAMES - NEEDS_A_GPU - SLOW))
def test_a_case_touches_the_bytes_that_its_formula_counts(name, cases, monkeypatch):
    _, _, size, _, launch = next(case for case in cases if case[0] == name)
    touched = Touched(monkeypatch)
    launch()
    assert touched.bytes() / size == pytest.approx(MORE.get(name, 1.0), abs=0.05)


@pytest.mark.parametrize("n", [0, 1, 1023, 1024, 1025, 3000])
@pytest.mark.parametrize("steps", [0, 1, 5, 16, 33])
def test_a_chain_of_multiply_adds(n, steps):
    x = torch.rand(n, generator=torch.Generator().manual_seed(n)) / 2
    truth = y = x.double()
    for _ in range(steps):
        y = y * truth + 0.5
    torch.testing.assert_close(roofline.fma_chain(x, steps).double(), y, rtol=1e-6, atol=1e-7)


def test_a_chain_wants_float32_in_one_piece():
    for wrong in (torch.rand(4, dtype=torch.float64), torch.rand(4, 4).T):
        with pytest.raises(ValueError, match="wanted contiguous float32"):
            roofline.fma_chain(wrong, 1)


def test_a_roof_is_the_lower_of_two():
    assert roofline.roof(1.0, 4.0, 60.0) == 4.0
    assert roofline.roof(15.0, 4.0, 60.0) == roofline.roof(100.0, 4.0, 60.0) == 60.0


def test_the_line_of_a_point(monkeypatch, capsys):
    """4 TB/s, 60 and 800 TOP/s; 2 ms a launch, and 1 ms after a rest."""
    for name, fake in {"ceilings": lambda: (4.0, 60.0, 800.0), "time_ms": lambda _: 2.0, "cool_ms": lambda _: 1.0}.items():
        monkeypatch.setattr(roofline, name, fake)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: None)
    nothing = lambda: None  # noqa: E731
    roofline.show_points({"some": [
        ("slope", 8e9, 4e9, False, nothing), ("level", 9e10, 1e9, False, nothing), ("tensor cores", 4e11, 1e9, True, nothing),
    ]})
    assert capsys.readouterr().out.splitlines()[-3:] == [
        "slope: 0.500 of its roof, operations/byte 2, TOP/s 4", "level: 0.750 of its roof, operations/byte 90, TOP/s 45",
        "tensor cores: 0.500 of its roof, operations/byte 400, TOP/s 400",
    ]


def test_ceilings_count_what_their_launches_do(monkeypatch):
    """A millisecond each, on tensors without memory."""
    for name in ("rand", "randn"):
        real = getattr(torch, name)
        monkeypatch.setattr(torch, name, lambda *shape, device, real=real: real(*shape, device="meta"))
    launched = []
    monkeypatch.setattr(roofline, "fma_chain", lambda x, steps: launched.append(2 * steps * x.numel() / 1e9))
    monkeypatch.setattr(roofline, "time_ms", lambda fn: fn() is None or 1.0)
    monkeypatch.setattr(roofline, "cool_ms", lambda fn: 1.0)
    copy, float32, bfloat16 = roofline.ceilings()
    assert [float32] == launched
    assert (copy, bfloat16) == (2 * 4 * 2**28 / 1e9, 2 * 8192**3 / 1e9)
