"""A chapter's notebook is valid, holds what the program printed, and is refused where that is unclear."""

import json

import nbformat
import pytest

from executed.notebook import notebook
from executed.snippet import SnippetError

A = '"""The first part."""\n\nimport os\n\nprint("a", os.sep)\nprint("a2")\n'
B = (
    '"""The second part."""\n\n# /// capture\n# [labels]\n# diff = { kind = "bound", limit = 1e-3 }\n# ///\n'
    'print("b é <b>")\n'
)
SILENT = '"""The silent part."""\n\nX = 1\n'
WHOLE = (
    '"""Chapter 1 in one program.\n\nWith a second paragraph.\n"""\n\n# /// capture\n'
    '# bundle = ["a", "silent", "b"]\n# ///\n'
)


@pytest.fixture
def make(repo, put):
    """The notebook of a chapter whose parts and whole printed what is given."""

    def make(whole: str, **parts: str) -> dict:
        repository = repo(
            {
                f"snippets/ch01/{name}.py": text
                for name, text in dict(a=A, b=B, silent=SILENT, whole=WHOLE).items()
            }
        )
        captures = {
            f"ch01/{name}": put(repository, f"ch01/{name}", text=text) for name, text in parts.items()
        }
        snippet = repository.snippets["ch01/whole"]
        text = notebook(repository, snippet, put(repository, "ch01/whole", text=whole), captures)
        assert text == notebook(repository, snippet, put(repository, "ch01/whole", text=whole), captures)
        return json.loads(text)

    return make


def outputs(document: dict) -> list[str]:
    """What stands under each code cell."""
    cells = [cell for cell in document["cells"] if cell["cell_type"] == "code"]
    return ["".join(line for output in cell["outputs"] for line in output["text"]) for cell in cells]


def test_a_notebook_is_valid_and_every_output_stands_under_its_cell(make):
    document = make("a /\na2\nb é <b>\ndiff: 1e-4\n", a="a /\na2\n", silent="", b="b é <b>\ndiff: 1e-4\n")
    nbformat.validate(document)
    assert len({cell["id"] for cell in document["cells"]}) == len(document["cells"])
    assert outputs(document)[-3:] == ["a /\na2\n", "", "b é <b>\ndiff: 1e-4\n"]
    assert not any(outputs(document)[:-3])


def test_the_cells_are_the_program(make):
    document = make("a /\na2\nb\n", a="a /\na2\n", silent="", b="b\n")
    code = ["".join(cell["source"]) for cell in document["cells"] if cell["cell_type"] == "code"]
    text = ["".join(cell["source"]) for cell in document["cells"] if cell["cell_type"] == "markdown"]
    assert code[-4:] == ["import os", 'print("a", os.sep)\nprint("a2")', "X = 1", 'print("b é <b>")']
    assert text[0].startswith(
        "# Chapter 1 in one program\n\nWith a second paragraph.\n\nOutputs: interpreter, CPU, "
    )
    assert text[1:] == ["## The first part", "## The silent part", "## The second part"]
    for cell in code:
        compile(cell, "cell", "exec")


def test_the_choice_of_a_device_comes_before_any_import_of_triton(make):
    document = make("a /\na2\nb\n", a="a /\na2\n", silent="", b="b\n")
    first = next("".join(cell["source"]) for cell in document["cells"] if cell["cell_type"] == "code")
    assert "TRITON_INTERPRET" in first
    assert "import triton" not in first


def test_declared_noise_between_part_and_program_is_no_difference(make):
    document = make("a /\na2\ndiff: 2e-4\n", a="a /\na2\n", silent="", b="diff: 1e-4\n")
    assert outputs(document)[-1] == "diff: 2e-4\n"


@pytest.mark.parametrize(
    ("whole", "parts"),
    [
        pytest.param("a /\na2\nb\nmore\n", {"a": "a /\na2\n", "b": "b\n"}, id="a line more"),
        pytest.param("a /\na2\n", {"a": "a /\na2\n", "b": "b\n"}, id="a line less"),
        pytest.param("a /\na2\nc\n", {"a": "a /\na2\n", "b": "b\n"}, id="another line"),
        pytest.param("b\na /\na2\n", {"a": "a /\na2\n", "b": "b\n"}, id="another order"),
        pytest.param("a /\na2\nb", {"a": "a /\na2\n", "b": "b\n"}, id="no end of line"),
        pytest.param("a /\na2b\n", {"a": "a /\na2", "b": "b\n"}, id="a part without an end of line"),
        pytest.param("", {"a": "a /\na2\n", "b": "b\n"}, id="nothing"),
    ],
)
def test_parts_that_print_something_else_together_are_an_error(make, whole, parts):
    with pytest.raises(SnippetError, match=r"whole\.py: "):
        make(whole, silent="", **parts)


@pytest.mark.parametrize(
    "text", ["{{ x }}\n", "<script>\n", "`` ` ``\n", "\\u2028\n", '"quotes"\n', "漢😀\n", "\n\n", " \t \n"]
)
def test_any_text_is_kept_as_it_is(make, text):
    document = make(f"a\n{text}", a="a\n", silent="", b=text)
    nbformat.validate(document)
    assert outputs(document)[-1] == text
