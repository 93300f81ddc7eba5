"""What the interpreter accepts and Triton does not, planted into every kernel of the book."""

import ast
import itertools
from dataclasses import replace
from pathlib import Path

import pytest

from executed import judge, run, runners
from executed.assemble import assemble
from executed.capture import read
from executed.discover import discover
from executed.facts import launches
from executed.snippet import Snippet

BOOK = discover(Path(__file__).resolve().parent.parent)
PLANTS = {
    "if on a block": (
        "if tl.arange(0, 2) > 0:\n        pass",
        "Boolean value of Tensor with more than one value is ambiguous",
    ),
    "break in a loop": ("for _ in range(2):\n        break", "unsupported AST node type: Break"),
}


def launched(snippet: Snippet) -> list[str]:
    """The kernels that a snippet both defines and launches, and that are not rejected anyway."""
    defined = {node.name for node in ast.parse(snippet.text).body if isinstance(node, ast.FunctionDef)}
    found = {launch.kernel for launch in launches(read(snippet.capture_path("compiler")).text)}
    return sorted((defined & found) - set(snippet.settings.rejects))


def planted(snippet: Snippet, kernel: str, code: str) -> Snippet:
    lines = snippet.text.split("\n")
    node = next(n for n in ast.parse(snippet.text).body if isinstance(n, ast.FunctionDef) and n.name == kernel)
    first = node.body[1] if ast.get_docstring(node) else node.body[0]
    lines.insert(first.lineno - 1, f"    {code}")
    return replace(snippet, text="\n".join(lines))


KERNELS = [
    (name, kernel)
    for name, snippet in BOOK.snippets.items()
    if "compiler" in snippet.settings.runners and snippet.shows_facts
    for kernel in launched(snippet)
]
# One each, in turn: both in every kernel took two minutes.
CASES = [(*kernel, plant) for kernel, plant in zip(KERNELS, itertools.cycle(PLANTS))]


@pytest.fixture(scope="module")
def results() -> dict[str, run.Result]:
    programs = []
    for number, (name, kernel, plant) in enumerate(CASES):
        changed = planted(BOOK.snippets[name], kernel, PLANTS[plant][0])
        book = replace(BOOK, snippets=BOOK.snippets | {name: changed})
        snippet = replace(changed, name=f"{name}_{number}")
        programs.append(run.Program(snippet, assemble(book, changed), runners.RUNNERS["compiler"]))
    return {r.snippet.name: r for r in run.run(programs)}


@pytest.mark.parametrize(("name", "kernel", "plant"), CASES)
def test_the_compiler_refuses_it_in_its_own_words(name, kernel, plant, results):
    number = CASES.index((name, kernel, plant))
    result = results[f"{name}_{number}"]
    # Judged as the book's own snippet, and as if it had run to its end: a program may catch the error.
    verdict = judge.weigh(BOOK, replace(result, snippet=BOOK.snippets[name], exit=0), {})
    assert verdict.state is judge.State.FAILED
    assert PLANTS[plant][1] in verdict.reason and f"{kernel}(" in verdict.reason


def test_there_are_kernels_to_plant_into():
    assert {kernel for _, kernel, _ in CASES} >= {"shape_kernel", "fma_relu_kernel", "gelu_exact_kernel"}
