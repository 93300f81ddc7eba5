"""The index finds every kernel and every name of the API that a chapter shows, and who teaches it."""

from dataclasses import replace

import pytest

from executed.context import Context
from executed.index import index

KERNELS = '''"""Worked example 1.1.1: scaled and
added.

More.
"""

import triton
import triton.language as tl


# --8<-- [start:kernels]
@triton.jit
def scale(
    x_ptr,  # where
    n,
    *,
    BLOCK: tl.constexpr,
):
    tl.store(x_ptr, tl.math.exp(tl.load(x_ptr)))


# Adds, and tells
# nobody.
@triton.jit
def add(x_ptr):
    """As it says."""


# Half of it.
@triton.jit(do_not_specialize=["x"])
def half(x):
    return x / 2
# --8<-- [end:kernels]


# --8<-- [start:host]
def host(x):
    grid = (triton.cdiv(8, 4),)
    return tl.later
# --8<-- [end:host]


@triton.jit
def hidden():
    tl.unseen()
'''
ONE = """# 1. One

The `tl.load` of the preface teaches nothing.

```python
--8<-- "ch01/a.py:host"
```

## 1.1 First

| `tl.store` |
|---|

```python
# `tl.store`
--8<-- "ch01/a.py:kernels"
```

### Worked example 1.1.1: next

A `mask=tl.store(x)` and tl.load, `tl.math.exp2`, `tl.load_all`, `tl.elsewhere`.

### On `tl.math.exp`

## 1.2 Second

`tl.load`, `tl.store`.

```python
--8<-- "ch01/a.py:kernels"
--8<-- "ch01/a.py:kernels"
```
"""
TWO = '# 2. Two\n\n## Part\n\n`tl.load`, `tl.elsewhere`\n\n```python\n--8<-- "ch02/b.py"\n```\n'


@pytest.fixture
def context(repo) -> Context:
    repository = repo(
        {
            "snippets/ch01/a.py": KERNELS,
            "snippets/ch01/whole.py": '# /// capture\n# bundle = ["a"]\n# ///\n',
            "snippets/ch01/m.mojo": "fn main(): ...\n",
            "snippets/ch02/b.py": '"""12.1, recorded: tl.elsewhere, once."""\nimport triton.language as tl\ntl.elsewhere\ntl.load\n@triton.jit\ndef k(): ...\n',
            "docs/01-one.md": ONE,
            "docs/02-two.md": TWO,
            "docs/03-draft.md": '# 3\n\n## A\n\n```python\n--8<-- "ch01/a.py"\n```\n',
        }
    )
    chapters = ((1, "One", "01-one.md"), (2, "Two", "02-two.md"), (3, "Three", None))
    return Context(repository, {}, str, chapters)


def test_each_kernel_says_what_it_takes_and_does(context):
    found = {kernel.name: kernel for kernel in index(context).kernels}
    assert list(found) == ["scale", "add", "half", "hidden", "k"]
    assert found["scale"].parameters == ("x_ptr", "n", "BLOCK")
    assert found["scale"].does == found["hidden"].does == "Scaled and added."
    assert found["add"].does == "As it says."
    assert found["half"].does == "Half of it."
    assert found["k"].does == "tl.elsewhere, once."
    assert [name for name, kernel in found.items() if kernel.helper] == ["half"]


def test_each_kernel_is_shown_where_a_chapter_includes_its_lines(context):
    shown = {kernel.name: [place.title for place in kernel.places] for kernel in index(context).kernels}
    assert shown == {
        "scale": ["1.1 First", "1.2 Second"], "add": ["1.1 First", "1.2 Second"], "half": ["1.1 First", "1.2 Second"],
        "hidden": [], "k": ["2 Part"],
    }  # fmt: skip


def test_a_name_is_taught_where_a_heading_or_else_the_text_is_the_first_to_name_it(context):
    found = {name: (entry.taught.page, entry.taught.title) for name, entry in index(context).names.items()}
    assert found == {
        "tl.constexpr": ("01-one.md", "1.1 First"),  # in a listing only
        "tl.elsewhere": ("02-two.md", "2 Part"),  # what chapter 1 says of it, it shows nowhere
        "tl.later": ("01-one.md", "1 One"),
        "tl.load": ("01-one.md", "1.2 Second"),
        "tl.math.exp": ("01-one.md", "1.1 On tl.math.exp"),
        "tl.store": ("01-one.md", "1.1.1 Next"),
        "triton.cdiv": ("01-one.md", "1 One"),
        "triton.jit": ("01-one.md", "1.1 First"),
    }
    assert list(found) == sorted(found, key=str.casefold)


def test_a_name_lists_the_sections_whose_listings_use_it(context):
    names = index(context).names
    assert [place.title for place in names["tl.load"].places] == ["1.1 First", "1.2 Second", "2 Part"]
    assert [place.title for place in names["triton.cdiv"].places] == ["1 One"]


def test_a_place_knows_its_address_number_and_part(context):
    seen = replace(context, address=lambda path: f"../{path}")
    place = index(context).names["tl.store"].taught
    assert place.address(seen) == "../01-one.md#worked-example-111-next"
    assert (place.number, place.part) == ("1.1.1", 1)
    assert [(p.number, p.part) for p in index(context).names["tl.load"].places] == [("1.1", 1), ("1.2", 2), ("2", 1)]


def test_a_section_teaches_what_it_is_the_first_to_show_or_name(context):
    assert index(context).taught() == {
        ("01-one.md", "11-first"): {"kernels": ["scale", "add", "half"], "tags": ["tl.constexpr", "triton.jit"]},
        ("01-one.md", "1-one"): {"tags": ["tl.later", "triton.cdiv"]},
        ("01-one.md", "12-second"): {"tags": ["tl.load"]},
        ("01-one.md", "on-tlmathexp"): {"tags": ["tl.math.exp"]},
        ("01-one.md", "worked-example-111-next"): {"tags": ["tl.store"]},
        ("02-two.md", "part"): {"kernels": ["k"], "tags": ["tl.elsewhere"]},
    }


def test_the_index_is_made_once(context):
    assert index(context) is index(replace(context, address=lambda path: path))
