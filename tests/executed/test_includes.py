"""An include shows what its line says, or the lint says why not: ``pymdownx.snippets`` is silent."""

import re
from pathlib import Path

import markdown
import pytest

from executed.includes import Include, find_includes, region_lines, regions
from executed.snippet import Snippet

GOOD = """\
import os

# --8<-- [start:all]
# --8<-- [start:first]
x = 1
# --8<-- [end:first]
if x:
    # --8<-- [start:second_2]
    y = 2
    # --8<-- [end:second_2]
# --8<-- [end:all]
"""


def faults(text: str) -> list[str]:
    return regions(Snippet("ch01/a", Path("ch01/a.py"), text))[1]


def found(page: str) -> list:
    return list(find_includes(page))


def test_regions_by_name_with_their_first_line():
    assert regions(Snippet("ch01/a", Path("ch01/a.py"), GOOD)) == ({"all": 3, "first": 4, "second_2": 8}, [])


@pytest.mark.parametrize(
    "region, lines", [("all", range(4, 11)), ("first", range(5, 6)), ("second_2", range(9, 10)), (None, range(1, 13)), ("x", range(0))]
)
def test_the_lines_of_a_region(region, lines):
    assert region_lines(Snippet("ch01/a", Path("ch01/a.py"), GOOD), region) == lines


@pytest.mark.parametrize(
    ("text", "said"),
    [
        pytest.param(
            "# --8<-- [start:a]\nx\n# --8<-- [end:b]\n",
            ["a.py:3: .*'b' ends here but never starts", "a.py:1: .*'a' starts here but never ends"],
            id="misspelt end",
        ),
        pytest.param("# --8<-- [start:a]\nx\n", ["a.py:1: .*never ends"], id="no end"),
        pytest.param("x\n# --8<-- [end:a]\n", ["a.py:2: .*never starts"], id="no start"),
        pytest.param(
            "# --8<-- [end:a]\nx\n# --8<-- [start:a]\n",
            ["a.py:1: .*never starts", "a.py:3: .*never ends"],
            id="end before start",
        ),
        pytest.param(
            "# --8<-- [start:a]\nx\n# --8<-- [end:a]\n" * 2,
            ["a.py:4: .*second time; first at line 1", "a.py:6: .*never starts"],
            id="the same region twice",
        ),
        pytest.param(
            "# --8<-- [start:a]\n# --8<-- [start:a]\nx\n# --8<-- [end:a]\n",
            ["a.py:2: .*second time"],
            id="started twice",
        ),
        pytest.param("# --8<-- [start:a]\n# --8<-- [end:a]\n", ["a.py:2: .*'a' is empty"], id="empty"),
        pytest.param("# --8<-- [start:a]\n\n   \n# --8<-- [end:a]\n", ["a.py:4: .*'a' is empty"], id="blank"),
        pytest.param(
            "# --8<-- [start:a]\n# --8<-- [start:b]\n# --8<-- [end:b]\n# --8<-- [end:a]\n",
            ["a.py:3: .*'b' is empty", "a.py:4: .*'a' is empty"],
            id="nothing but markers",
        ),
    ],
)
def test_a_region_that_is_not_one_is_an_error(text, said):
    errors = faults(text)
    assert len(errors) == len(said)
    for error, pattern in zip(errors, said):
        assert re.search(pattern, error)


@pytest.mark.parametrize(
    "line",
    [
        "# --8<-- [start:a] ",
        "#  --8<-- [start:a]",
        "#--8<-- [start:a]",
        "# --8<--  [start:a]",
        "# --8<--[start:a]",
        "# -8<- [start:a]",
        "# ---8<--- [start:a]",
        "# -- 8< -- [start:a]",
        "# --8<-- [start: a]",
        "# --8<-- [start:A]",
        "# --8<-- [start:a-b]",
        "# --8<-- [start:1]",
        "# --8<-- [start]",
        "# --8<-- [begin:a]",
        "# --8<-- start:a",
        "# --8<- [start:a]",
        "# --8< [start:a]",
        "# ;--8<-- [start:a]",
        "x = 1  # --8<-- [start:a]",
        "x = '--8<-- [START:a]'",
        "-8<- [ end : a ]",
        '--8<-- "ch01/other.py"',
    ],
)
def test_a_malformed_marker_is_an_error(line):
    errors = faults(f"y = 2\n{line}\n")
    assert len(errors) == 1
    assert errors[0].startswith("ch01/a.py:2: malformed region marker")


@pytest.mark.parametrize(
    "line",
    [
        "# valid for -8 < x < 8",
        "if -8 < -x: pass",
        "x = '--8<--'",
        "print('--8<-- \"a.py\"')",
        "# scissors 8<",
    ],
)
def test_what_no_tool_takes_for_a_marker_is_code(line):
    assert faults(f"{line}\n") == []


@pytest.mark.parametrize(
    ("line", "include"),
    [
        ('--8<-- "ch01/a.py:all"', Include(2, "ch01/a.py", "all")),
        ('--8<-- "ch01/a.py"', Include(2, "ch01/a.py", None)),
        ('    --8<-- "ch01/a.py:second_2"', Include(2, "ch01/a.py", "second_2")),
        ('--8<-- "../secret.py"', Include(2, "../secret.py", None)),
    ],
)
def test_an_include_is_found_with_its_line(line, include):
    assert found(f"```python\n{line}\n```\n") == [include]
    assert f"{include.snippet}.py" == include.path


@pytest.mark.parametrize(
    "line",
    [
        '--8<-- "ch01/a.py:all" ',
        '--8<--  "ch01/a.py:all"',
        '--8<--"ch01/a.py:all"',
        '-8<- "ch01/a.py:all"',
        '---8<--- "ch01/a.py:all"',
        '-- 8<-- "ch01/a.py:all"',
        '--8<- "ch01/a.py:all"',
        "--8<-- 'ch01/a.py:all'",
        "--8<-- ch01/a.py:all",
        '--8<-- "ch01/a.py:All"',
        '--8<-- "ch01/a.py:1:5"',
        '--8<-- "ch01/a.py:5"',
        '--8<-- "ch01/a.py:"',
        '--8<-- "ch01/a.py:all" # x',
        '--8<-- "ch01/a b.py"',
        '--8<-- "ch01/a.txt"',
        '--8<-- "https://example.org/a.py"',
        '--8<-- ""',
        "--8<--",
        '> --8<-- "ch01/a.py:all"',
        '- --8<-- "ch01/a.py:all"',
        'text --8<-- "ch01/a.py:all"',
        '\\`--8<-- "ch01/a.py:all"\\`',
    ],
)
def test_an_include_that_cannot_be_meant_is_an_error_with_its_line(line):
    ((number, said),) = found(f"text\n\n{line}\n")
    assert number == 3
    assert said.startswith("malformed include")


@pytest.mark.parametrize(
    "line",
    [
        ';--8<-- "ch01/a.py:all"',
        '   ;--8<-- "ch01/a.py:all"',
        'Write `--8<-- "ch01/a.py:all"` on a line.',
        "Write ``a ` --8<-- b`` so.",
        "for $-8 < -x$ and x < -8 <- y",
        "",
    ],
)
def test_a_mention_is_no_include(line):
    assert found(f"{line}\n") == []


@pytest.mark.parametrize(
    "line", ['--8<-- "a.py:all"', '  --8<-- "a.py"', ';--8<-- "a.py"', '`--8<-- "a.py"` is text']
)
def test_snippets_agrees_on_what_an_include_is(tmp_path, line):
    (tmp_path / "a.py").write_text(GOOD)
    options = {"pymdownx.snippets": {"base_path": [str(tmp_path)], "check_paths": True}}
    html = markdown.markdown(f"{line}\n", extensions=list(options), extension_configs=options)
    assert ("y = 2" in html) is bool(found(line))
