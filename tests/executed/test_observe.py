"""What the compiler runner says of kernels: compiled for four GPUs on a machine that has none."""

import re
from pathlib import Path

import pytest

from executed import judge, run, runners
from executed.agree import Agreement, agreement
from executed.capture import Capture
from executed.discover import discover
from executed.facts import launches
from executed.snippet import Settings, Snippet

COMPILER = runners.RUNNERS["compiler"]

KERNEL = '''
import torch
import triton
import triton.language as tl

@triton.jit
def kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    offsets = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    mask = offsets < n
    x = tl.load(x_ptr + offsets, mask=mask, other=0.0)
    {planted}
    tl.store(out_ptr + offsets, x, mask=mask)

x = torch.ones({n})
out = torch.empty_like(x)
{launch}
print("this is not captured", out.sum().item())
'''

DOT = '''
import torch
import triton
import triton.language as tl

@triton.jit
def dot(a_ptr, out_ptr):
    i = tl.arange(0, 64)
    at = i[:, None] * 64 + i[None, :]
    a = tl.load(a_ptr + at)
    tl.store(out_ptr + at, tl.dot(a, a))

a = torch.ones(64, 64, dtype=torch.float16)
dot[(1,)](a, torch.empty(64, 64))
'''


def program(planted="x = x * 2", n=1024, launch="kernel[(1,)](x, out, x.numel(), BLOCK=1024)"):
    return KERNEL.format(planted=planted, n=n, launch=launch)


PROGRAMS = {
    "aligned": program(),
    "ragged": program(n=1000),
    "twice": program(launch="for n in (1024, 1024, 1000, 1):\n    kernel[(1,)](x, out, n, BLOCK=1024)"),
    "warps": program(launch="kernel[(1,)](x, out, 1024, BLOCK=1024, num_warps=8, num_stages=2)"),
    "no_launch": "print('nothing to compile')",
    "block_if": program("if x > 0:\n        x = x * 2"),
    "break_in_loop": program("for i in range(3):\n        x = x * 2\n        if i == 1:\n            break"),
    "caught": program("if x > 0:\n        x = x * 2",
                      launch="try:\n    kernel[(1,)](x, out, 8, BLOCK=8)\nexcept Exception:\n    print('caught')"),
    "autotuned": program(launch=(
        "tuned = triton.autotune([triton.Config({'BLOCK': b}) for b in (64, 128)], key=['n'])(kernel)\n"
        "tuned[(1,)](x, out, 64)")),
    "dot": DOT,
}


def snippet(name: str, **settings) -> Snippet:
    return Snippet(f"ch00/{name}", Path(f"{name}.py"), "", Settings(**settings))


@pytest.fixture(scope="module")
def results() -> dict[str, run.Result]:
    programs = [run.Program(snippet(name), text, COMPILER) for name, text in PROGRAMS.items()]
    own = run.Program(snippet("own_output", runners=("compiler",)), program(launch=(
        "compiled = kernel[(1,)](x, out, 1024, BLOCK=1024)\n"
        "print('ld.global' in compiled.asm['ptx'], sorted(compiled.asm)[-2:])\n"
        "raise SystemExit")), COMPILER)
    listed = run.Program(snippet("listed", ptx=("kernel(BLOCK=1024)",)), program(), COMPILER)
    return {r.snippet.stem: r for r in run.run([*programs, own, listed])}


def only(result: run.Result):
    (launch,) = launches(result.text)
    return launch


def test_four_targets_are_compiled_and_nothing_printed_is_kept(results):
    launch = only(results["aligned"])
    assert list(launch.facts) == ["sm_80", "sm_90", "sm_100", "gfx942"]
    assert "not captured" not in results["aligned"].text
    for facts in launch.facts.values():
        assert list(facts) == ["shared", "registers", "spilled", "loads", "stores", "matrix"]
        assert 0 < int(facts["registers"]) < 256 and facts["spilled"] == "0 B" and facts["matrix"] == "0"


def test_the_width_of_loads_follows_what_is_known_of_the_size(results):
    assert only(results["aligned"]).facts["sm_90"]["loads"] == "2 x 128 bit"
    assert only(results["ragged"]).facts["sm_90"]["loads"] == "8 x 32 bit"


def test_each_specialization_is_told_once(results):
    titles = [launch.title for launch in launches(results["twice"].text)]
    assert titles == ["kernel(BLOCK=1024)", "kernel(BLOCK=1024) #2", "kernel(n=1, BLOCK=1024)"]


def test_how_it_was_launched_is_told(results):
    assert "num_warps=4, num_stages=3" in only(results["aligned"]).launch
    assert "num_warps=8, num_stages=2" in only(results["warps"]).launch
    assert "x_ptr *fp32 divisible by 16" in only(results["aligned"]).launch


def test_matrix_instructions_are_counted(results):
    facts = only(results["dot"]).facts
    assert "mma.sync" in facts["sm_80"]["matrix"] and "wgmma" in facts["sm_90"]["matrix"]
    assert "tcgen05.mma" in facts["sm_100"]["matrix"] and "v_mfma" in facts["gfx942"]["matrix"]
    assert facts["sm_90"]["shared"] != "0 B"


def test_a_program_that_launches_nothing_says_so(results):
    assert results["no_launch"].text == "no kernel is launched\n"


def test_every_config_of_an_autotuner_is_compiled(results):
    assert [launch.title for launch in launches(results["autotuned"].text)] == ["kernel(BLOCK=64)", "kernel(BLOCK=128)"]


@pytest.mark.parametrize(("name", "message"), [
    ("block_if", "Boolean value of Tensor with more than one value is ambiguous"),
    ("break_in_loop", "unsupported AST node type: Break"),
    ("caught", "Boolean value of Tensor with more than one value is ambiguous"),
])
def test_what_the_compiler_rejects_is_told_in_its_words_and_refused(results, name, message, tmp_path):
    result = results[name]
    launch = only(result)
    assert set(launch.rejections) == set(launch.facts) and message in launch.rejections["sm_90"]
    repository = discover(tmp_path)
    verdict = judge.weigh(repository, run.Result(**vars(result) | {"exit": 0}), {})
    assert verdict.state is judge.State.FAILED
    assert message in verdict.reason and 'rejects = ["kernel"]' in verdict.reason
    declared = run.Result(**vars(result) | {"exit": 0, "snippet": snippet(name, rejects=("kernel",))})
    assert judge.weigh(repository, declared, {}).state is judge.State.MISSING


def test_a_rejection_that_is_declared_but_gone_is_refused(results, tmp_path):
    result = run.Result(**vars(results["aligned"]) | {"snippet": snippet("aligned", rejects=("kernel",))})
    verdict = judge.weigh(discover(tmp_path), result, {})
    assert verdict.state is judge.State.FAILED
    assert "declares that kernel is rejected, but every compiler takes it" in verdict.reason


def test_a_snippet_of_the_compiler_alone_prints_for_itself(results):
    assert results["own_output"].text == "True ['ttgir', 'ttir']\n"


def test_listed_ptx_carries_the_kernel_line_that_it_comes_from(results):
    ptx = only(results["listed"]).ptx
    loads = [line for line, instruction in ptx if "ld.global" in instruction]
    stores = [line for line, instruction in ptx if "st.global" in instruction]
    assert loads == [5, 5] and stores == [7, 7]
    assert all(re.match(r"[@\w{]", instruction) for _, instruction in ptx)


@pytest.mark.parametrize(("texts", "differs", "expected"), [
    (["a: 1.0\n"], None, Agreement.ALONE),
    (["a: 1.0\n", "a: 1.0\n"], None, Agreement.SAME),
    (["a: 0.10000000149011612\n", "a: 0.10000000894069672\n"], None, Agreement.WITHIN),
    (["a: 1.0\n", "a: 2.0\n"], None, Agreement.UNEXPLAINED),
    (["a: 1.0\n", "a: 2.0\n"], "the lesson", Agreement.ON_PURPOSE),
])
def test_agreement(texts, differs, expected):
    captures = {str(i): Capture("ch00/x", str(i), "CPU", "", "0", "", text) for i, text in enumerate(texts)}
    assert agreement(snippet("x", differs=differs), captures) is expected
