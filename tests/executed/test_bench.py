"""The README shows the committed measurement, and nothing that was typed there."""

import re
import shutil

import pytest
from executed.bench import table, write_readme
from executed.capture import read

PRINTED = (
    "== the same book, built by each ==\npages: 2\na tool, and more: cold 1.00 s, unchanged 0.10 s, edit 0.50 s\n"
    "b: not installed\n== ratios ==\na tool, and more over b: cold 1, unchanged 2, edit 3\n"
)


def test_a_measurement_becomes_a_table():
    assert table(PRINTED) == (
        "| 2 pages, one program each | from nothing | nothing changed | one edit |\n|---|---|---|---|\n"
        "| a tool, and more | 1.00 s | 0.10 s | 0.50 s |\n"
    )


def test_the_readme_shows_what_is_committed(root, tmp_path):
    (tmp_path / "snippets" / "engine").mkdir(parents=True)
    shutil.copy(root / "snippets/engine/bench.bench.txt", tmp_path / "snippets/engine")
    readme = (root / "README.md").read_text("utf-8")
    (tmp_path / "README.md").write_text(re.sub(r"(?m)^\| this engine \|.*$", "| this engine | typed |", readme))
    write_readme(tmp_path)
    assert (tmp_path / "README.md").read_text("utf-8") == readme, "run: scripts/bench --readme"
    assert table(read(root / "snippets/engine/bench.bench.txt").text) in readme


def test_a_readme_without_its_marks_is_left_alone(root, tmp_path):
    (tmp_path / "snippets" / "engine").mkdir(parents=True)
    shutil.copy(root / "snippets/engine/bench.bench.txt", tmp_path / "snippets/engine")
    (tmp_path / "README.md").write_text("no marks\n")
    with pytest.raises(SystemExit, match="not both of"):
        write_readme(tmp_path)
    assert (tmp_path / "README.md").read_text() == "no marks\n"
